import { Module } from '@nestjs/common';
import { InstanceAuditModule } from '../../platform/instance-audit/instance-audit.module.js';
import { LinksModule } from '../../auth/links/links.module.js';
import { SessionsModule } from '../../auth/sessions/sessions.module.js';
import { SignInModule } from '../../auth/sign-in/sign-in.module.js';
import { AccountsModule } from '../../auth/users/accounts.module.js';
import { AuthorizationRequests } from './authorization-requests.js';
import { ClientAuthentication } from './client-authentication.js';
import { IdentityProvider } from './identity-provider.js';
import { PendingJoins } from './pending-joins.js';
import { ProviderAccountsService } from './provider-accounts.service.js';
import { OidcProviderModule } from './oidc-provider.module.js';
import { ProviderRefusals } from './provider-refusals.js';
import { ProviderRights } from './provider-rights.js';
import { JoinController } from './join.page.js';
import { ProviderLogoutController, ProviderSignInController } from './provider-sign-in.page.js';
import { PagesModule } from '../../web/pages.module.js';
import { SignOutHints } from './sign-out-hints.js';

/** Signing in at a provider of OpenID Connect. */
@Module({
  imports: [
    InstanceAuditModule,
    SessionsModule,
    AccountsModule,
    SignInModule,
    LinksModule,
    PagesModule,
    OidcProviderModule,
  ],
  controllers: [ProviderSignInController, ProviderLogoutController, JoinController],
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
})
export class OidcModule {}
