import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountAdministration } from './account-administration.js';
import { Administration } from './administration.entity.js';
import { Administrators } from './administrators.service.js';
import { ApiToken } from './api-token.entity.js';
import { BearerGuard } from './bearer.guard.js';
import { BearerStrategy } from './bearer.strategy.js';
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
  imports: [TypeOrmModule.forFeature([User, ApiToken, Session, SignInAttempt, Administration, PasswordLink])],
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
  ],
})
export class AuthModule {}
