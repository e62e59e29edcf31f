import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { InstanceAuditModule } from '../../platform/instance-audit/instance-audit.module.js';
import { AdministratorsState } from '../entities/administrators-state.entity.js';
import { User } from '../entities/user.entity.js';
import { AccountNoticesModule } from '../notices/account-notices.module.js';
import { PasswordsModule } from '../passwords/passwords.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { TokensModule } from '../tokens/tokens.module.js';
import { AccountAdministration } from './account-administration.js';
import { AdministratorsService } from './administrators.service.js';
import { IdentityRemoval } from './identity-removal.js';
import { UsersService } from './users.service.js';
import { MigrationsModule } from '../../platform/database/migrations.module.js';
import { Accounts_Initial1767300000000 } from './initial.migration.js';

/** Accounts, and which of them are administrators. */
@Module({
  imports: [
    InstanceAuditModule,
    AccountNoticesModule,
    PasswordsModule,
    TokensModule,
    SessionsModule,
    TypeOrmModule.forFeature([User, AdministratorsState]),
    MigrationsModule.forFeature([Accounts_Initial1767300000000]),
  ],
  providers: [UsersService, AdministratorsService, AccountAdministration, IdentityRemoval],
  exports: [UsersService, AdministratorsService, AccountAdministration, IdentityRemoval],
})
export class AccountsModule {}
