import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/transactions/unit-of-work.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { Log } from '../../platform/logging/log.js';
import type { PendingAttempt } from '../../platform/limits/client-attempt.js';
import { PushNoticesService } from '../notices/push-notices.service.js';
import { AttemptQueues, PassphraseThrottle } from '../passphrase/passphrase-throttle.js';
import type { Retrieval } from './retrieval.js';

/** Counts the attempts to open pushes by a passphrase. */
@Injectable()
export class PassphraseAttempts {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly queues: AttemptQueues,
    private readonly throttle: PassphraseThrottle,
    private readonly notices: PushNoticesService,
    private readonly log: Log,
  ) {}

  /** See AttemptQueues. */
  inTurn<T>({ push, visitor }: Retrieval, attempt: (hasWaited: boolean) => Promise<T>): Promise<T> {
    return this.queues.runAttempt(push.id, visitor.ip, attempt);
  }

  count({ push, visitor, now }: Retrieval): Promise<PendingAttempt> {
    return this.throttle.recordAttempt(push, visitor.ip, now);
  }

  /** Marks the attempt as wrong, together with a mail to the owner if there is to be one. */
  async markWrong({ push, attempt, visitor, now }: Retrieval): Promise<void> {
    const markWrong = (tx: Transaction) => {
      if (attempt) this.throttle.markWrong(tx, attempt);
    };
    const isNoticed =
      this.notices.isPassphraseNoticeDue(push, visitor, now) &&
      (await this.unitOfWork.write((tx) => {
        this.notices.addPassphraseNotice(tx, push, now);
        markWrong(tx);
      }));
    if (!isNoticed) await this.unitOfWork.write(markWrong);
  }

  async uncount({ attempt }: Retrieval): Promise<void> {
    if (!attempt) return;
    await this.unitOfWork.write((tx) => {
      this.throttle.delete(tx, attempt);
    });
  }

  /** Does not throw, so that the original error is reported. */
  async tryToUncount(retrieval: Retrieval): Promise<void> {
    await this.uncount(retrieval).catch((cause: unknown) => {
      this.log.failure('A passphrase attempt could not be removed from the count', cause);
    });
  }
}
