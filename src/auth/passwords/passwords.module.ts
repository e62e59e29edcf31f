import { Module } from '@nestjs/common';
import { HashingModule } from '../../platform/throttling/hashing-queues.js';
import { PasswordHashes } from './password-hashes.js';

/** Hashes of passwords. */
@Module({
  imports: [HashingModule],
  providers: [PasswordHashes],
  exports: [PasswordHashes],
})
export class PasswordsModule {}
