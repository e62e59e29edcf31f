import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { InstanceAuditModule } from '../../platform/instance-audit/instance-audit.module.js';
import { SealingModule } from '../../platform/sealing/sealing.module.js';
import { KnownNetwork } from '../entities/known-network.entity.js';
import { SignInAttempt } from '../entities/sign-in-attempt.entity.js';
import { PasswordsModule } from '../passwords/passwords.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { AccountsModule } from '../users/accounts.module.js';
import { CredentialsService } from './credentials.service.js';
import { KnownNetworksService } from './known-networks.service.js';
import { OwnAccountService } from './own-account.service.js';
import { PendingSignIns } from './pending-sign-ins.js';
import { SignInStates } from './sign-in-states.js';
import { SignInThrottle } from './sign-in-throttle.js';
import { SignInsService } from './sign-ins.service.js';
import { MigrationsModule } from '../../platform/database/migrations.module.js';
import { SignIn_Initial1767340000000 } from './initial.migration.js';

/** Signing in, up to the session. */
@Module({
  imports: [
    InstanceAuditModule,
    SealingModule,
    PasswordsModule,
    SessionsModule,
    AccountsModule,
    TypeOrmModule.forFeature([SignInAttempt, KnownNetwork]),
    MigrationsModule.forFeature([SignIn_Initial1767340000000]),
  ],
  providers: [
    CredentialsService,
    OwnAccountService,
    SignInsService,
    SignInThrottle,
    SignInStates,
    PendingSignIns,
    KnownNetworksService,
  ],
  exports: [
    CredentialsService,
    OwnAccountService,
    SignInsService,
    SignInThrottle,
    SignInStates,
    PendingSignIns,
    KnownNetworksService,
  ],
})
export class SignInModule {}
