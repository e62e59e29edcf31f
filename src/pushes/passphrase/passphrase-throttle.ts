import { setTimeout } from 'node:timers/promises';
import { Injectable, ServiceUnavailableException } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { MoreThan, Repository } from 'typeorm';
import { clientNetworks } from '../../platform/http/client-address.js';
import { clockFrom } from './clock-from.js';
import { newId } from '../../platform/random/ids.js';
import { TooManyRequests } from '../../platform/http/errors/too-many-requests.js';
import { attemptsByNetwork, attemptWait, MAX_PER_HOUR } from '../../platform/throttling/client-attempt.js';
import { capTimes } from '../../platform/database/cap-times.js';
import { statementOf } from '../../platform/database/statements/prepared-statements.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import type { Transaction } from '../../platform/database/transactions/transaction.js';
import { PassphraseAttempt } from './passphrase-attempt.entity.js';
import { Push } from '../push/push.entity.js';
import { SECOND_MS } from '../../platform/settings/units.js';
import { Problem } from '../../platform/errors/problem.js';

/** Checking an attempt takes far less time, unless its process has died. */
const PENDING_MS = 10 * SECOND_MS;
const MAX_WAIT_MS = 20 * SECOND_MS;
const SHORTEST_PAUSE_MS = 20;
const MAX_PAUSE_MS = 200;

/**
 * Counts wrong passphrases by push and client network, in the database, so that all processes share the counts.
 * An attempt is recorded before it is checked, so no more are checked than may be wrong. If the limit is reached only
 * by counting pending attempts, others wait for their outcome; attempts known to be wrong make others fail.
 */
@Injectable()
export class PassphraseThrottle {
  constructor(
    @InjectRepository(PassphraseAttempt) private readonly attempts: Repository<PassphraseAttempt>,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Records an attempt before it is checked; call `delete` when it was correct, `markWrong` when it was
   * wrong. Waits while too many attempts are pending.
   * @throws TooManyRequests when the client has to wait
   * @throws ServiceUnavailableException when too many attempts are still pending after the longest wait
   */
  async recordAttempt(push: Push, ip: string, now: Date): Promise<PassphraseAttempt> {
    await this.countAheadAsNow(push, now);
    const clock = clockFrom(now);
    const deadline = performance.now() + MAX_WAIT_MS;
    let pause = SHORTEST_PAUSE_MS;
    for (let at = now; ; at = clock()) {
      try {
        return await this.unitOfWork.run((manager) => recordWithin(manager, push, ip, at));
      } catch (error) {
        if (!(error instanceof TooManyPending)) throw error;
      }
      if (performance.now() > deadline)
        throw new ServiceUnavailableException(new Problem('passphrases_being_checked'));
      await setTimeout(pause * (0.5 + Math.random()));
      pause = Math.min(2 * pause, MAX_PAUSE_MS);
    }
  }

  /** Deletes an attempt that was correct, or that failed because of a server error. */
  delete(tx: Transaction, { id }: PassphraseAttempt): void {
    tx.execute(statementOf(this.attempts.createQueryBuilder().delete().where({ id })));
  }

  /** Records that an attempt was wrong. */
  markWrong(tx: Transaction, { id }: PassphraseAttempt): void {
    const set = { pendingUntil: null };
    tx.execute(statementOf(this.attempts.createQueryBuilder().update().set(set).where({ id })));
  }

  /** Also those of other clients, which count for the limit of all. */
  private async countAheadAsNow({ id: pushId }: Push, now: Date): Promise<void> {
    await capTimes(this.unitOfWork, this.attempts, { pushId }, 'attemptedAt', now);
    await capTimes(this.unitOfWork, this.attempts, { pushId }, 'pendingUntil', pendingEnd(now));
  }
}

/** Thrown when pending attempts use up the limit, so that the transaction is rolled back. */
class TooManyPending extends Error {}

async function recordWithin(
  manager: EntityManager,
  push: Push,
  ip: string,
  now: Date,
): Promise<PassphraseAttempt> {
  await lock(manager, push);
  const networks = clientNetworks(ip);
  const columns = PassphraseAttempt.networkColumns(networks);
  const inTheLastHour = { pushId: push.id, attemptedAt: MoreThan(PassphraseAttempt.cutoff(now)) };
  const byClient = await manager.find(PassphraseAttempt, {
    where: { ...inTheLastHour, ...PassphraseAttempt.fromAround(columns) },
    order: { attemptedAt: 'DESC' },
    take: MAX_PER_HOUR * Math.max(...networks.map(({ factor }) => factor)),
  });
  const byAll = await manager.countBy(PassphraseAttempt, inTheLastHour);
  const pendingByAll = await manager.countBy(PassphraseAttempt, {
    ...inTheLastHour,
    pendingUntil: MoreThan(now),
  });

  const wrongByClient = byClient.filter((attempt) => !isPending(attempt, now));
  const wait = attemptWait(attemptsByNetwork(wrongByClient, networks), byAll - pendingByAll, now);
  if (wait > 0) throw tooManyWrong(wait);
  if (attemptWait(attemptsByNetwork(byClient, networks), byAll, now) > 0) throw new TooManyPending();

  const attempt = {
    id: newId(),
    pushId: push.id,
    ...columns,
    attemptedAt: now,
    pendingUntil: pendingEnd(now),
  };
  await manager.insert(PassphraseAttempt, attempt);
  return attempt;
}

function tooManyWrong(wait: number): TooManyRequests {
  return new TooManyRequests(
    'attempts',
    new Problem('too_many_wrong_passphrases'),
    Math.ceil(wait / SECOND_MS),
  );
}

/** Writes to the push, so that its attempts are serialized on every engine and conflict on a multi-primary cluster. */
async function lock(manager: EntityManager, { id }: Push): Promise<void> {
  await manager.increment(Push, { id }, 'passphraseAttempts', 1);
}

function pendingEnd(now: Date): Date {
  return new Date(now.getTime() + PENDING_MS);
}

function isPending({ pendingUntil }: PassphraseAttempt, now: Date): boolean {
  return pendingUntil !== null && pendingUntil > now;
}
