import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { InstanceAuditEntry } from './instance-audit-entry.entity.js';
import { InstanceAudit } from './instance-audit.service.js';
import { SettingsInForce } from './settings-changes.js';
import { SchedulingModule } from '../scheduling/scheduling.module.js';
import { MigrationsModule } from '../database/migrations.module.js';
import { InstanceAudit_Initial1767100000000 } from './initial.migration.js';

@Module({
  imports: [
    SchedulingModule,
    TypeOrmModule.forFeature([InstanceAuditEntry, SettingsInForce]),
    MigrationsModule.forFeature([InstanceAudit_Initial1767100000000]),
  ],
  providers: [InstanceAudit],
  exports: [InstanceAudit],
})
export class InstanceAuditModule {}
