import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../../auth/users/accounts.module.js';
import { MigrationsModule } from '../../platform/database/migrations.module.js';
import { TextsModule } from '../../platform/i18n/texts.module.js';
import { InstanceAuditModule } from '../../platform/instance-audit/instance-audit.module.js';
import { MailTransportModule } from '../../platform/mail/mail-transport.js';
import { FirstStepsService } from './first-steps.service.js';
import { SetupSteps_Initial1795900000000 } from './initial.migration.js';
import { SetupStep } from './setup-step.entity.js';

/** What there is to do after the first administrator was created, and its table, which commands carry elsewhere. */
@Module({
  imports: [
    AccountsModule,
    InstanceAuditModule,
    MailTransportModule,
    TextsModule,
    TypeOrmModule.forFeature([SetupStep]),
    MigrationsModule.forFeature([SetupSteps_Initial1795900000000]),
  ],
  providers: [FirstStepsService],
  exports: [FirstStepsService],
})
export class FirstStepsModule {}
