import { Module } from '@nestjs/common';
import { SealingModule } from '../../platform/sealing/sealing.module.js';
import { SignInModule } from '../sign-in/sign-in.module.js';
import { AccountsModule } from '../users/accounts.module.js';
import { SetupCodes } from './setup-codes.js';
import { SetupService } from './setup.service.js';

/** Creating the first administrator. */
@Module({
  imports: [SealingModule, AccountsModule, SignInModule],
  providers: [SetupCodes, SetupService],
  exports: [SetupCodes, SetupService],
})
export class SetupModule {}
