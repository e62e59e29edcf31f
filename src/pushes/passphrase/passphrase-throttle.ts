import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Entity, ForeignKey, Index, Repository } from 'typeorm';
import { ReferenceColumn } from '../../platform/database/columns.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { Problem } from '../../platform/errors/problem.js';
import { TooManyRequests } from '../../platform/http/errors/too-many-requests.js';
import { clientNetwork } from '../../platform/http/visitor.js';
import { AttemptThrottle } from '../../platform/limits/attempt-throttle.js';
import type { AttemptLimits } from '../../platform/limits/client-attempt.js';
import { PendingAttempt } from '../../platform/limits/client-attempt.js';
import { KeyedQueues } from '../../platform/limits/keyed-queues.js';
import { SECOND_MS } from '../../platform/settings/units.js';
import { Push } from '../push/push.entity.js';

/** Of wrong passphrases of a push, or of a request. */
export const PASSPHRASE_LIMITS: AttemptLimits = { perMinute: 5, perHour: 20, byAllPerHour: 100 };

/** A passphrase attempt that was wrong or is still being checked. Correct ones are deleted. */
@Entity('passphrase_attempts')
@Index(['pushId', 'attemptedAt'])
export class PassphraseAttempt extends PendingAttempt {
  @ForeignKey(() => Push, { onDelete: 'CASCADE', onUpdate: 'NO ACTION' })
  @ReferenceColumn()
  pushId: string;
}

/** Counts wrong passphrases of pushes. */
@Injectable()
export class PassphraseThrottle extends AttemptThrottle<Push, PassphraseAttempt> {
  constructor(
    @InjectRepository(PassphraseAttempt) attempts: Repository<PassphraseAttempt>,
    unitOfWork: UnitOfWork,
  ) {
    super(attempts, unitOfWork, Push, 'pushId', PASSPHRASE_LIMITS);
  }
}

/**
 * Limits the attempts in progress for one push or request from one client network to the number that may be wrong in a
 * minute. More would have to poll the database for the outcome of these; here they wait in memory.
 */
@Injectable()
export class AttemptQueues extends KeyedQueues {
  constructor() {
    super({
      concurrency: Infinity,
      concurrencyOfOne: PASSPHRASE_LIMITS.perMinute,
      waitingOfOne: 300,
      waitingOfAll: 1000,
      tooMany: () => new TooManyRequests('attempts', new Problem('too_many_waiting_passphrases'), SECOND_MS),
    });
  }

  /** Runs an attempt, from recording it to its outcome. */
  runAttempt<T>(rowId: string, ip: string, attempt: (hasWaited: boolean) => Promise<T>): Promise<T> {
    return this.run(`${rowId} ${clientNetwork(ip)}`, undefined, attempt);
  }
}
