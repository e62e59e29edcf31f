import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ImportedAccount } from '../entities/imported-account.entity.js';
import { SecondFactorModule } from '../second-factor/second-factor.module.js';
import { TokensModule } from '../tokens/tokens.module.js';
import { AccountsModule } from '../users/accounts.module.js';
import { ImportedAccountsService } from './imported-accounts.service.js';
import { MigrationsModule } from '../../platform/database/migrations.module.js';
import { ImportedAccounts_Initial1767390000000 } from './initial.migration.js';

/** Accounts of another service. */
@Module({
  imports: [
    TokensModule,
    AccountsModule,
    SecondFactorModule,
    TypeOrmModule.forFeature([ImportedAccount]),
    MigrationsModule.forFeature([ImportedAccounts_Initial1767390000000]),
  ],
  providers: [ImportedAccountsService],
  exports: [ImportedAccountsService],
})
export class ImportedAccountsModule {}
