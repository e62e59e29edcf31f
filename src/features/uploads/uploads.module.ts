import type { MiddlewareConsumer, NestModule } from '@nestjs/common';
import { Module, RequestMethod } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { FilesModule } from '../../files/files.module.js';
import { MigrationsModule } from '../../platform/database/migrations.module.js';
import { BodyModule } from '../../platform/http/body/body.module.js';
import { SchedulingModule } from '../../platform/scheduling/scheduling.module.js';
import { SealingModule } from '../../platform/sealing/sealing.module.js';
import { provideSettings } from '../../platform/settings/current-settings.js';
import { PushesModule } from '../../pushes/pushes.module.js';
import { AppendsService } from './appends.service.js';
import { FinishedUploads } from './finished-uploads.js';
import { Uploads_Initial1796200000000 } from './initial.migration.js';
import { nameTusVersion } from './tus-protocol.js';
import { UploadLimits } from './upload-limits.js';
import { UploadRemoval } from './upload-removal.js';
import { UploadRequests } from './upload-requests.js';
import { UploadSeal } from './upload-seal.js';
import { PartialUpload } from './upload.entity.js';
import { UploadsController } from './uploads.controller.js';
import { UploadsService } from './uploads.service.js';
import { UploadSettings } from './uploads.settings.js';

const { OPTIONS, POST, HEAD, PATCH, DELETE } = RequestMethod;

/** Those of the controller. Named by it, they would be routes with a slash at their end as well. */
const ROUTES = [
  ...[OPTIONS, POST].map((method) => ({ path: 'api/v2/uploads', method })),
  ...[HEAD, PATCH, POST, DELETE].map((method) => ({ path: 'api/v2/uploads/:id', method })),
];

/** Files that arrive in parts, before their push: docs/api.md, Uploads. */
@Module({
  imports: [
    BodyModule,
    FilesModule,
    PushesModule,
    SchedulingModule,
    SealingModule,
    TypeOrmModule.forFeature([PartialUpload]),
    MigrationsModule.forFeature([Uploads_Initial1796200000000]),
  ],
  controllers: [UploadsController],
  providers: [
    provideSettings(UploadSettings),
    AppendsService,
    FinishedUploads,
    UploadLimits,
    UploadRemoval,
    UploadRequests,
    UploadSeal,
    UploadsService,
  ],
  exports: [UploadRequests, UploadSettings],
})
export class UploadsModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(nameTusVersion).forRoutes(...ROUTES);
  }
}
