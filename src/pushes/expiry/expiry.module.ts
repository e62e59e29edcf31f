import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../../audit/audit.module.js';
import { FilesModule } from '../../files/files.module.js';
import { Push } from '../push/push.entity.js';
import { PushModule } from '../push/push.module.js';
import { RetrieveModule } from '../retrieve/retrieve.module.js';
import { ExpirySchedule } from './expiry.schedule.js';
import { ExpiryService } from './expiry.service.js';

/** Recording what has expired, and removing rows. */
@Module({
  imports: [TypeOrmModule.forFeature([Push]), PushModule, RetrieveModule, AuditModule, FilesModule],
  providers: [ExpiryService, ExpirySchedule],
  exports: [ExpiryService],
})
export class ExpiryModule {}
