import { Module } from '@nestjs/common';
import { ApiDescription } from './api-description.js';
import { ApiController } from './api.controller.js';
import { VersionController } from './version.controller.js';
import { VersionService } from './version.service.js';

@Module({
  controllers: [VersionController, ApiController],
  providers: [ApiDescription, VersionService],
  exports: [VersionService],
})
export class VersionModule {}
