import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountAdministration } from './account-administration.js';
import { ApiToken } from './api-token.entity.js';
import { BearerGuard } from './bearer.guard.js';
import { BearerStrategy } from './bearer.strategy.js';
import { PageAccess } from './page-access.js';
import { PasswordHashes } from './password-hashes.js';
import { Session } from './session.entity.js';
import { SessionsSchedule } from './sessions.schedule.js';
import { SessionsService } from './sessions.service.js';
import { SignInAttempt } from './sign-in-attempt.entity.js';
import { SignInService } from './sign-in.service.js';
import { SignInThrottle } from './sign-in-throttle.js';
import { TokensService } from './tokens.service.js';
import { User } from './user.entity.js';
import { UsersService } from './users.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([User, ApiToken, Session, SignInAttempt])],
  providers: [
    UsersService,
    AccountAdministration,
    TokensService,
    SessionsService,
    SessionsSchedule,
    SignInService,
    SignInThrottle,
    PageAccess,
    PasswordHashes,
    BearerStrategy,
    { provide: APP_GUARD, useClass: BearerGuard },
  ],
  exports: [UsersService, AccountAdministration, TokensService, SessionsService, SignInService],
})
export class AuthModule {}
