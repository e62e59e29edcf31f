import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { InstanceAuditModule } from '../../platform/instance-audit/instance-audit.module.js';
import { User } from '../entities/user.entity.js';
import { LinksModule } from '../links/links.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { SignInModule } from '../sign-in/sign-in.module.js';
import { AccountsModule } from '../users/accounts.module.js';
import { AuthorizationRequests } from './authorization-requests.js';
import { ClientAuthentication } from './client-authentication.js';
import { IdentityProvider } from './identity-provider.js';
import { PendingJoins } from './pending-joins.js';
import { ProviderAccountsService } from './provider-accounts.service.js';
import { ProviderRefusals } from './provider-refusals.js';
import { ProviderRights } from './provider-rights.js';
import { SignOutHints } from './sign-out-hints.js';

/** Signing in at a provider of OpenID Connect. */
@Module({
  imports: [
    InstanceAuditModule,
    SessionsModule,
    AccountsModule,
    SignInModule,
    LinksModule,
    TypeOrmModule.forFeature([User]),
  ],
  providers: [
    IdentityProvider,
    ClientAuthentication,
    AuthorizationRequests,
    ProviderAccountsService,
    ProviderRights,
    ProviderRefusals,
    PendingJoins,
    SignOutHints,
  ],
  exports: [IdentityProvider, AuthorizationRequests, ProviderAccountsService, PendingJoins, SignOutHints],
})
export class OidcModule {}
