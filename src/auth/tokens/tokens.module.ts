import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { InstanceAuditModule } from '../../platform/instance-audit/instance-audit.module.js';
import { ApiToken } from '../entities/api-token.entity.js';
import { AccountNoticesModule } from '../notices/account-notices.module.js';
import { TokensService } from './tokens.service.js';
import { MigrationsModule } from '../../platform/database/migrations.module.js';
import { Tokens_Initial1767320000000 } from './initial.migration.js';

/** API tokens. */
@Module({
  imports: [
    InstanceAuditModule,
    AccountNoticesModule,
    TypeOrmModule.forFeature([ApiToken]),
    MigrationsModule.forFeature([Tokens_Initial1767320000000]),
  ],
  providers: [TokensService],
  exports: [TokensService],
})
export class TokensModule {}
