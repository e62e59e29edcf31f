import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AuthCleanupSchedule } from './cleanup/auth-cleanup.schedule.js';
import { BearerGuard, BearerStrategy } from './bearer.guard.js';
import { AccountMailsModule } from './by-mail/account-mails.module.js';
import { AccountGroupsModule } from './groups/account-groups.module.js';
import { ImportedAccountsModule } from './import/imported-accounts.module.js';
import { LinksModule } from './links/links.module.js';
import { PageAccess } from './page-access.js';
import { SecondFactorModule } from './second-factor/second-factor.module.js';
import { SessionsModule } from './sessions/sessions.module.js';
import { SignInModule } from './sign-in/sign-in.module.js';
import { TokensModule } from './tokens/tokens.module.js';
import { AccountsModule } from './users/accounts.module.js';

const parts = [
  AccountsModule,
  AccountGroupsModule,
  TokensModule,
  SessionsModule,
  SignInModule,
  SecondFactorModule,
  LinksModule,
  AccountMailsModule,
  ImportedAccountsModule,
];

/** Accounts and all ways to sign in: its parts, and the guard of every route. */
@Module({
  imports: parts,
  providers: [AuthCleanupSchedule, PageAccess, BearerStrategy, { provide: APP_GUARD, useClass: BearerGuard }],
  exports: parts,
})
export class AuthModule {}
