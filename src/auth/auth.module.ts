import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountGroup } from './entities/account-group.entity.js';
import { AccountGroupsService } from './groups/account-groups.service.js';
import { AccountAdministration } from './users/account-administration.js';
import { AdministratorsState } from './entities/administrators-state.entity.js';
import { AdministratorsService } from './users/administrators.service.js';
import { ApiToken } from './entities/api-token.entity.js';
import { Authenticator } from './entities/authenticator.entity.js';
import { AuthenticatorSeal, RecoveryKeySeal } from './second-factor/account-secret-seals.js';
import { BearerGuard, BearerStrategy } from './bearer.guard.js';
import { AccountMails } from './by-mail/account-mails.js';
import { AccountNotices } from './notices/account-notices.js';
import { EmailChangesService } from './by-mail/email-changes.service.js';
import { EmailLink } from './entities/email-link.entity.js';
import { EmailLinksService } from './links/email-links.service.js';
import { MailCount } from './entities/mail-count.entity.js';
import { MailLimits } from './by-mail/mail-limits.js';
import { MailRequestsService } from './by-mail/mail-requests.service.js';
import { Identity } from './entities/identity.entity.js';
import { AuthorizationRequests } from './oidc/authorization-requests.js';
import { IdentitiesService } from './sessions/identities.service.js';
import { ClientAuthentication } from './oidc/client-authentication.js';
import { IdentityProvider } from './oidc/identity-provider.js';
import { PendingJoins } from './oidc/pending-joins.js';
import { SignOutHints } from './oidc/sign-out-hints.js';
import { ProviderRefusals } from './oidc/provider-refusals.js';
import { ProviderAccountsService } from './oidc/provider-accounts.service.js';
import { PageAccess } from './page-access.js';
import { PasswordLink } from './entities/password-link.entity.js';
import { PasswordLinksService } from './links/password-links.service.js';
import { PasswordHashes } from './passwords/password-hashes.js';
import { Passkey } from './entities/passkey.entity.js';
import { PasskeysService } from './second-factor/passkeys.service.js';
import { RecoveryCode } from './entities/recovery-code.entity.js';
import { RecoveryKey } from './entities/recovery-key.entity.js';
import { ImportedAccount } from './entities/imported-account.entity.js';
import { ImportedAccountsService } from './import/imported-accounts.service.js';
import { SecondFactorsService } from './second-factor/second-factors.service.js';
import { Session } from './entities/session.entity.js';
import { AuthCleanupSchedule } from './auth-cleanup.schedule.js';
import { SessionsService } from './sessions/sessions.service.js';
import { SetupCodes } from './setup/setup-codes.js';
import { SetupService } from './setup/setup.service.js';
import { SignInMark } from './entities/sign-in-mark.entity.js';
import { SignInAttempt } from './entities/sign-in-attempt.entity.js';
import { KnownBrowser } from './entities/known-browser.entity.js';
import { KnownBrowsersService } from './sessions/known-browsers.service.js';
import { KnownNetwork } from './entities/known-network.entity.js';
import { KnownNetworksService } from './sign-in/known-networks.service.js';
import { CredentialsService } from './sign-in/credentials.service.js';
import { PendingSignIns } from './sign-in/pending-sign-ins.js';
import { ProofsService } from './second-factor/proofs.service.js';
import { WrongCodes } from './second-factor/wrong-codes.js';
import { DailyUsage } from './quotas/daily-usage.entity.js';
import { SignInStates } from './sign-in/sign-in-states.js';
import { SignInThrottle } from './sign-in/sign-in-throttle.js';
import { TokensService } from './tokens/tokens.service.js';
import { User } from './entities/user.entity.js';
import { UsersService } from './users/users.service.js';
import { InstanceAuditModule } from '../platform/instance-audit/instance-audit.module.js';
import { MailModule } from '../platform/mail/mail.module.js';
import { TextsModule } from '../platform/i18n/texts.module.js';
import { SchedulingModule } from '../platform/scheduling/scheduling.module.js';
import { HashingModule } from '../platform/throttling/hashing-queues.js';
import { SealingModule } from '../platform/sealing/sealing.module.js';
import { MigrationsModule } from '../platform/database/migrations.module.js';
import { Auth_Initial1767300000000 } from './initial.migration.js';

@Module({
  imports: [
    InstanceAuditModule,
    MailModule,
    TextsModule,
    SchedulingModule,
    SealingModule,
    HashingModule,
    TypeOrmModule.forFeature([
      User,
      AccountGroup,
      ApiToken,
      Session,
      SignInAttempt,
      SignInMark,
      KnownNetwork,
      KnownBrowser,
      Authenticator,
      RecoveryCode,
      RecoveryKey,
      ImportedAccount,
      Passkey,
      Identity,
      AdministratorsState,
      PasswordLink,
      EmailLink,
      MailCount,
      DailyUsage,
    ]),
    MigrationsModule.forFeature([Auth_Initial1767300000000]),
  ],
  providers: [
    UsersService,
    AccountGroupsService,
    AccountAdministration,
    ImportedAccountsService,
    AdministratorsService,
    TokensService,
    SessionsService,
    KnownBrowsersService,
    AuthCleanupSchedule,
    KnownNetworksService,
    CredentialsService,
    SetupCodes,
    SetupService,
    PasswordLinksService,
    EmailLinksService,
    MailLimits,
    MailRequestsService,
    AccountNotices,
    AccountMails,
    EmailChangesService,
    SignInThrottle,
    SignInStates,
    PendingSignIns,
    ProofsService,
    PasskeysService,
    SecondFactorsService,
    WrongCodes,
    AuthenticatorSeal,
    RecoveryKeySeal,
    ClientAuthentication,
    IdentityProvider,
    IdentitiesService,
    ProviderAccountsService,
    ProviderRefusals,
    AuthorizationRequests,
    PendingJoins,
    SignOutHints,
    PageAccess,
    PasswordHashes,
    BearerStrategy,
    { provide: APP_GUARD, useClass: BearerGuard },
  ],
  exports: [
    UsersService,
    AccountGroupsService,
    AccountAdministration,
    ImportedAccountsService,
    AdministratorsService,
    TokensService,
    SessionsService,
    KnownNetworksService,
    CredentialsService,
    SignInStates,
    PendingSignIns,
    ProofsService,
    PasskeysService,
    SecondFactorsService,
    AuthenticatorSeal,
    RecoveryKeySeal,
    IdentityProvider,
    IdentitiesService,
    ProviderAccountsService,
    AuthorizationRequests,
    PendingJoins,
    SignOutHints,
    SetupCodes,
    SetupService,
    PasswordLinksService,
    EmailLinksService,
    EmailChangesService,
    MailLimits,
    MailRequestsService,
  ],
})
export class AuthModule {}
