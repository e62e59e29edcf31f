import { Module } from '@nestjs/common';
import { PushesModule } from '../../pushes/pushes.module.js';
import { PageUploadsController } from './page-uploads.controller.js';
import { UploadsModule } from './uploads.module.js';

/** Uploads with the routes for pages, which commands do not load. */
@Module({
  imports: [UploadsModule, PushesModule],
  controllers: [PageUploadsController],
})
export class UploadsPagesModule {}
