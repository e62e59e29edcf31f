import { Module } from '@nestjs/common';
import { AccountsModule } from '../../auth/users/accounts.module.js';
import { SignInModule } from '../../auth/sign-in/sign-in.module.js';
import { SealingModule } from '../../platform/sealing/sealing.module.js';
import { provideSettings } from '../../platform/settings/current-settings.js';
import { PagesModule } from '../../web/pages.module.js';
import { ConfiguredAdministrator } from './configured-administrator.js';
import { FirstStepsModule } from './first-steps.module.js';
import { FirstStepsController } from './first-steps.page.js';
import { SetupCodes } from './setup-codes.js';
import { SetupController } from './setup.page.js';
import { SetupService } from './setup.service.js';
import { SetupSettings } from './setup.settings.js';

/** The first administrator: created on a page, or named by the settings. Only the service does this, not a command. */
@Module({
  imports: [SealingModule, AccountsModule, SignInModule, PagesModule, FirstStepsModule],
  controllers: [SetupController, FirstStepsController],
  providers: [provideSettings(SetupSettings), ConfiguredAdministrator, SetupCodes, SetupService],
})
export class SetupModule {}
