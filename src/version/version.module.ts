import { Module } from '@nestjs/common';
import { ApiDescription } from './docs-files.js';
import { ApiController, VersionController } from './api.controller.js';
import { VersionService } from './version.service.js';

@Module({
  controllers: [VersionController, ApiController],
  providers: [ApiDescription, VersionService],
  exports: [VersionService],
})
export class VersionModule {}
