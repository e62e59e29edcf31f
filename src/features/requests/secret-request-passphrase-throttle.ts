import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Entity, ForeignKey, Index, Repository } from 'typeorm';
import { ReferenceColumn } from '../../platform/database/columns.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { PendingAttempt } from '../../platform/throttling/client-attempt.js';
import { AttemptThrottle } from '../../pushes/passphrase/passphrase-throttle.js';
import { SecretRequest } from './secret-request.entity.js';

/** An attempt at the passphrase of a request. */
@Entity('request_passphrase_attempts')
@Index(['requestId', 'attemptedAt'])
export class SecretRequestPassphraseAttempt extends PendingAttempt {
  @ForeignKey(() => SecretRequest, { onDelete: 'CASCADE', onUpdate: 'NO ACTION' })
  @ReferenceColumn()
  requestId: string;
}

/** Counts wrong passphrases of requests, as those of pushes are counted. */
@Injectable()
export class SecretRequestPassphraseThrottle extends AttemptThrottle<
  SecretRequest,
  SecretRequestPassphraseAttempt
> {
  constructor(
    @InjectRepository(SecretRequestPassphraseAttempt) attempts: Repository<SecretRequestPassphraseAttempt>,
    unitOfWork: UnitOfWork,
  ) {
    super(attempts, unitOfWork, SecretRequest, 'requestId');
  }
}
