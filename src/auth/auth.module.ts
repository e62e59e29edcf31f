import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountAdministration } from './account-administration.js';
import { AdministratorsState } from './administrators-state.entity.js';
import { Administrators } from './administrators.service.js';
import { ApiToken } from './api-token.entity.js';
import { BearerGuard } from './bearer.guard.js';
import { BearerStrategy } from './bearer.strategy.js';
import { AccountMails } from './by-mail/account-mails.js';
import { AccountNotices } from './by-mail/account-notices.js';
import { EmailChanges } from './by-mail/email-changes.service.js';
import { EmailLink } from './by-mail/email-link.entity.js';
import { EmailLinks } from './by-mail/email-links.service.js';
import { MailCount } from './by-mail/mail-count.entity.js';
import { MailLimits } from './by-mail/mail-limits.js';
import { MailRequests } from './by-mail/mail-requests.service.js';
import { PageAccess } from './page-access.js';
import { PasswordLink } from './password-link.entity.js';
import { PasswordLinks } from './password-links.service.js';
import { PasswordHashes } from './password-hashes.js';
import { Session } from './session.entity.js';
import { SessionsSchedule } from './sessions.schedule.js';
import { SessionsService } from './sessions.service.js';
import { SetupCodes } from './setup-codes.js';
import { SetupService } from './setup.service.js';
import { SignInAttempt } from './sign-in-attempt.entity.js';
import { SignInService } from './sign-in.service.js';
import { SignInThrottle } from './sign-in-throttle.js';
import { TokensService } from './tokens.service.js';
import { User } from './user.entity.js';
import { UsersService } from './users.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([
      User,
      ApiToken,
      Session,
      SignInAttempt,
      AdministratorsState,
      PasswordLink,
      EmailLink,
      MailCount,
    ]),
  ],
  providers: [
    UsersService,
    AccountAdministration,
    Administrators,
    TokensService,
    SessionsService,
    SessionsSchedule,
    SignInService,
    SetupCodes,
    SetupService,
    PasswordLinks,
    EmailLinks,
    MailLimits,
    MailRequests,
    AccountNotices,
    AccountMails,
    EmailChanges,
    SignInThrottle,
    PageAccess,
    PasswordHashes,
    BearerStrategy,
    { provide: APP_GUARD, useClass: BearerGuard },
  ],
  exports: [
    UsersService,
    AccountAdministration,
    Administrators,
    TokensService,
    SessionsService,
    SignInService,
    SetupCodes,
    SetupService,
    PasswordLinks,
    EmailLinks,
    EmailChanges,
    MailRequests,
  ],
})
export class AuthModule {}
