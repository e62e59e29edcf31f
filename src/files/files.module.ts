import { join } from 'node:path';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { Log } from '../platform/logging/log.js';
import { Settings } from '../platform/settings/settings.js';
import { DailyUsage } from '../auth/quotas/daily-usage.entity.js';
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
import { FileStore, StoreUnavailable } from './file-store.js';
import { StoredFile } from './file.entity.js';
import { FilesSchedule } from './files.schedule.js';
import { LinkHolders } from './link-holders.js';
import { FilesService } from './files.service.js';
import { Tickets } from './tickets.js';
import { UploadQuota } from './upload-quota.js';

@Module({
  imports: [SchedulingModule, SealingModule, TypeOrmModule.forFeature([StoredFile, DailyUsage]), AuditModule],
  controllers: [DownloadsController, ArchivesController],
  providers: [
    { provide: FileStore, inject: [Settings, Log], useFactory: fileStoreFor },
    FilesService,
    FileRules,
    FilePurgeService,
    FilesSchedule,
    DownloadsService,
    LinkHolders,
    ArchivesService,
    Tickets,
    UploadQuota,
  ],
  exports: [
    FileStore,
    FilesService,
    FileRules,
    FilePurgeService,
    DownloadsService,
    LinkHolders,
    ArchivesService,
    UploadQuota,
  ],
})
export class FilesModule {}

async function fileStoreFor(settings: Settings, log: Log): Promise<FileStore> {
  return withOutageLog(await openStore(settings), log);
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
  });
}

/** Files can often be read when none can be stored, as on a full disk. */
function withOutageLog(store: FileStore, log: Log): FileStore {
  const storing = log.outage((error) => error instanceof StoreUnavailable && error.isWriting, {
    begins: 'Files cannot be stored',
    ends: 'Files can be stored again',
  });
  const reading = log.outage((error) => error instanceof StoreUnavailable && !error.isWriting, {
    begins: 'Files cannot be read or removed',
    ends: 'Files can be read again',
  });
  const put = store.put.bind(store);
  store.put = async (...args) => {
    await put(...args);
    storing.worked();
  };
  const read = store.read.bind(store);
  store.read = async (...args) => {
    const bytes = await read(...args);
    reading.worked();
    return bytes;
  };
  return store;
}
