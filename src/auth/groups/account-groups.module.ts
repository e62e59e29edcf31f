import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { InstanceAuditModule } from '../../platform/instance-audit/instance-audit.module.js';
import { AccountGroup } from '../entities/account-group.entity.js';
import { AccountGroupsService } from './account-groups.service.js';

/** Groups of accounts. */
@Module({
  imports: [InstanceAuditModule, TypeOrmModule.forFeature([AccountGroup])],
  providers: [AccountGroupsService],
  exports: [AccountGroupsService],
})
export class AccountGroupsModule {}
