import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { InstanceAuditModule } from '../../platform/instance-audit/instance-audit.module.js';
import { ApiToken } from '../entities/api-token.entity.js';
import { AccountNoticesModule } from '../notices/account-notices.module.js';
import { TokensService } from './tokens.service.js';

/** API tokens. */
@Module({
  imports: [InstanceAuditModule, AccountNoticesModule, TypeOrmModule.forFeature([ApiToken])],
  providers: [TokensService],
  exports: [TokensService],
})
export class TokensModule {}
