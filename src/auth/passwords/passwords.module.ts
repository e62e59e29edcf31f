import { Module } from '@nestjs/common';
import { PasswordHashes } from './password-hashes.js';

/** Hashes of passwords. */
@Module({
  providers: [PasswordHashes],
  exports: [PasswordHashes],
})
export class PasswordsModule {}
