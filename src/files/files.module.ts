import { join } from 'node:path';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { DataSource } from 'typeorm';
import { UnitOfWork } from '../platform/database/transactions/unit-of-work.js';
import { InstanceAuditModule } from '../platform/instance-audit/instance-audit.module.js';
import { InstanceAudit } from '../platform/instance-audit/instance-audit.service.js';
import { Proxies } from '../platform/settings/proxies.js';
import { Settings } from '../platform/settings/settings.js';
import { DailyUsage } from '../auth/quotas/daily-quota.js';
import { SchedulingModule } from '../platform/scheduling/scheduling.module.js';
import { SealingModule } from '../platform/sealing/sealing.module.js';
import { ArchivesController } from './archives.controller.js';
import { ArchivesService } from './archives.service.js';
import { DiskFileStore } from './disk-file-store.js';
import { DiskReserve } from './disk-reserve.js';
import { DownloadsController } from './downloads.controller.js';
import { DownloadsService } from './downloads.service.js';
import { FilePurgeService } from './file-purge.service.js';
import { FileRules } from './file-rules.js';
import { FileStore } from './file-store.js';
import { StoredFile } from './file.entity.js';
import { Installation } from './installation.entity.js';
import { LinkHolders } from './link-holders.js';
import { FilesService } from './files.service.js';
import { OrphanSweep, UnknownFile } from './orphan-sweep.js';
import { OwnFileStore } from './own-file-store.js';
import { StoreIdentity } from './store-identity.js';
import { Tickets } from './tickets.js';
import { UploadQuota } from './upload-receiver.js';
import { MigrationsModule } from '../platform/database/migrations.module.js';
import { Contributions } from '../platform/contributions/contributions.js';
import { Files_ContentKey1796100000000 } from './content-key.migration.js';
import { Files_Initial1767800000000 } from './initial.migration.js';
import { engineOf } from '../platform/database/engines/engines.js';

@Module({
  imports: [
    SchedulingModule,
    SealingModule,
    TypeOrmModule.forFeature([StoredFile, DailyUsage, Installation, UnknownFile]),
    MigrationsModule.forFeature([Files_Initial1767800000000, Files_ContentKey1796100000000]),
    AuditModule,
    InstanceAuditModule,
  ],
  controllers: [DownloadsController, ArchivesController],
  providers: [
    {
      provide: StoreIdentity,
      inject: [Settings, DataSource, UnitOfWork, InstanceAudit, Contributions],
      useFactory: storeIdentity,
    },
    { provide: FileStore, useClass: OwnFileStore },
    FilesService,
    FileRules,
    FilePurgeService,
    OrphanSweep,
    DownloadsService,
    LinkHolders,
    ArchivesService,
    Tickets,
    UploadQuota,
  ],
  exports: [
    FileStore,
    StoreIdentity,
    OrphanSweep,
    FilesService,
    FileRules,
    FilePurgeService,
    DownloadsService,
    ArchivesService,
    UploadQuota,
  ],
})
export class FilesModule {}

async function storeIdentity(
  settings: Settings,
  dataSource: DataSource,
  unitOfWork: UnitOfWork,
  audit: InstanceAudit,
  contributions: Contributions,
): Promise<StoreIdentity> {
  const database = engineOf(dataSource).locationInWords;
  return new StoreIdentity(await openStore(settings), database, dataSource, unitOfWork, audit, contributions);
}

async function openStore(settings: Settings): Promise<FileStore> {
  if (settings.FILE_STORAGE === 'disk')
    return new DiskFileStore(join(settings.DATA_DIR, 'files'), new DiskReserve(settings.DISK_RESERVE));

  const { S3FileStore } = await import('./s3-file-store.js'); // its SDK is large, so it is only loaded when needed
  return new S3FileStore({
    endpoint: settings.S3_ENDPOINT,
    bucket: settings.S3_BUCKET ?? '',
    region: settings.S3_REGION,
    accessKeyId: settings.S3_ACCESS_KEY_ID,
    secretAccessKey: settings.S3_SECRET_ACCESS_KEY,
    pathStyle: settings.S3_PATH_STYLE,
    prefix: settings.S3_PREFIX,
    proxies: new Proxies(settings),
  });
}
