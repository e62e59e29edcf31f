import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { InstanceAuditModule } from '../../platform/instance-audit/instance-audit.module.js';
import { SealingModule } from '../../platform/sealing/sealing.module.js';
import { Authenticator } from '../entities/authenticator.entity.js';
import { Passkey } from '../entities/passkey.entity.js';
import { RecoveryCode } from '../entities/recovery-code.entity.js';
import { RecoveryKey } from '../entities/recovery-key.entity.js';
import { User } from '../entities/user.entity.js';
import { AccountNoticesModule } from '../notices/account-notices.module.js';
import { QuotasModule } from '../quotas/quotas.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { SignInModule } from '../sign-in/sign-in.module.js';
import { AuthenticatorSeal, RecoveryKeySeal } from './account-secret-seals.js';
import { AuthenticatorApps } from './authenticator-apps.js';
import { RecoveryCodes } from './recovery-codes.js';
import { SecondFactorChecks } from './second-factor-checks.js';
import { PasskeysService } from './passkeys.service.js';
import { ReauthenticationService } from './reauthentication.service.js';
import { SecondFactorsService } from './second-factors.service.js';
import { WrongCodes } from './wrong-codes.js';
import { MigrationsModule } from '../../platform/database/migrations.module.js';
import { SecondFactor_Initial1767350000000 } from './initial.migration.js';

/** Second factors, passkeys, and the reauthentication that changes need. */
@Module({
  imports: [
    InstanceAuditModule,
    SealingModule,
    AccountNoticesModule,
    QuotasModule,
    SessionsModule,
    SignInModule,
    TypeOrmModule.forFeature([User, Authenticator, Passkey, RecoveryCode, RecoveryKey]),
    MigrationsModule.forFeature([SecondFactor_Initial1767350000000]),
  ],
  providers: [
    AuthenticatorApps,
    RecoveryCodes,
    SecondFactorChecks,
    SecondFactorsService,
    PasskeysService,
    ReauthenticationService,
    WrongCodes,
    AuthenticatorSeal,
    RecoveryKeySeal,
  ],
  exports: [
    AuthenticatorApps,
    SecondFactorChecks,
    SecondFactorsService,
    PasskeysService,
    ReauthenticationService,
  ],
})
export class SecondFactorModule {}
