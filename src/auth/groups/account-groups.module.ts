import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { InstanceAuditModule } from '../../platform/instance-audit/instance-audit.module.js';
import { AccountGroup } from '../entities/account-group.entity.js';
import { AccountGroupsService } from './account-groups.service.js';
import { MigrationsModule } from '../../platform/database/migrations.module.js';
import { AccountGroups_Initial1767310000000 } from './initial.migration.js';

/** Groups of accounts. */
@Module({
  imports: [
    InstanceAuditModule,
    TypeOrmModule.forFeature([AccountGroup]),
    MigrationsModule.forFeature([AccountGroups_Initial1767310000000]),
  ],
  providers: [AccountGroupsService],
  exports: [AccountGroupsService],
})
export class AccountGroupsModule {}
