import { setTimeout } from 'node:timers/promises';
import { ServiceUnavailableException } from '@nestjs/common';
import type {
  EntityManager,
  EntityTarget,
  FindOptionsOrder,
  FindOptionsWhere,
  QueryDeepPartialEntity,
  Repository,
} from 'typeorm';
import { LessThan, MoreThan } from 'typeorm';
import { clientNetworks } from '../http/visitor.js';
import { newId } from '../random/random.js';
import { TooManyRequests } from '../http/errors/too-many-requests.js';
import type { AttemptLimits, PendingAttempt } from './client-attempt.js';
import { attemptsByNetwork, attemptWait, ClientAttempt } from './client-attempt.js';
import { capTimes } from '../database/cap-times.js';
import { removeInBatches } from '../database/remove-in-batches.js';
import { statementOf } from '../database/statements/statements.js';
import type { Transaction, UnitOfWork } from '../database/transactions/unit-of-work.js';
import { SECOND_MS } from '../settings/units.js';
import { Problem } from '../errors/problem.js';

/** Checking an attempt takes far less time, unless its process has died. */
const PENDING_MS = 10 * SECOND_MS;
const MAX_WAIT_MS = 20 * SECOND_MS;
const SHORTEST_PAUSE_MS = 20;
const MAX_PAUSE_MS = 200;

/** What is protected by a passphrase: its row counts the attempts, which serializes them on every engine. */
interface ProtectedRow {
  id: string;
  passphraseAttempts: number;
}

/**
 * Counts wrong passphrases by row and client network, in the database, so that all processes share the counts.
 * An attempt is recorded before it is checked, so no more are checked than may be wrong. If the limit is reached only
 * by counting pending attempts, others wait for their outcome; attempts known to be wrong make others fail.
 */
export abstract class AttemptThrottle<Row extends ProtectedRow, Attempt extends PendingAttempt> {
  constructor(
    private readonly attempts: Repository<Attempt>,
    private readonly unitOfWork: UnitOfWork,
    private readonly entity: EntityTarget<Row>,
    /** The column of an attempt with the id of the row. */
    private readonly reference: keyof Attempt & string,
    private readonly limits: AttemptLimits,
  ) {}

  /**
   * Records an attempt before it is checked; call `delete` when it was correct, `markWrong` when it was
   * wrong. Waits while too many attempts are pending.
   * @throws TooManyRequests when the client has to wait
   * @throws ServiceUnavailableException when too many attempts are still pending after the longest wait
   */
  async recordAttempt({ id }: Row, ip: string, now: Date): Promise<PendingAttempt> {
    const ofRow = { [this.reference]: id } as FindOptionsWhere<Attempt>;
    await this.countAheadAsNow(ofRow, now);
    const clock = clockFrom(now);
    const deadline = performance.now() + MAX_WAIT_MS;
    let pause = SHORTEST_PAUSE_MS;
    for (let at = now; ; at = clock()) {
      try {
        return await this.unitOfWork.run(async (manager) => {
          // a write, so that attempts also conflict on a multi-primary cluster
          await manager.increment(this.entity, { id } as FindOptionsWhere<Row>, 'passphraseAttempts', 1);
          return this.recordWithin(manager, ofRow, ip, at);
        });
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
  delete(tx: Transaction, { id }: PendingAttempt): void {
    tx.execute(statementOf(this.attempts.createQueryBuilder().delete().where({ id })));
  }

  /** Records that an attempt was wrong. */
  markWrong(tx: Transaction, { id }: PendingAttempt): void {
    const set = { pendingUntil: null } as object as QueryDeepPartialEntity<Attempt>;
    tx.execute(statementOf(this.attempts.createQueryBuilder().update().set(set).where({ id })));
  }

  /** Deletes wrong attempts that no longer make any client wait. */
  async deleteOld(now = new Date(), signal?: AbortSignal): Promise<void> {
    const old = { attemptedAt: LessThan(ClientAttempt.cutoff(now)) } as FindOptionsWhere<Attempt>;
    await removeInBatches(this.unitOfWork, this.attempts, old, signal);
  }

  /** Also those of other clients, which count for the limit of all. */
  private async countAheadAsNow(ofRow: FindOptionsWhere<Attempt>, now: Date): Promise<void> {
    await capTimes(this.unitOfWork, this.attempts, ofRow, 'attemptedAt', now);
    await capTimes(this.unitOfWork, this.attempts, ofRow, 'pendingUntil', pendingEnd(now));
  }

  private async recordWithin(
    manager: EntityManager,
    ofRow: FindOptionsWhere<Attempt>,
    ip: string,
    now: Date,
  ): Promise<PendingAttempt> {
    const attempts = manager.getRepository(this.attempts.target);
    const networks = clientNetworks(ip);
    const columns = ClientAttempt.networkColumns(networks);
    const inTheLastHour = {
      ...ofRow,
      attemptedAt: MoreThan(ClientAttempt.cutoff(now)),
    } as FindOptionsWhere<Attempt>;
    const byClient = await attempts.find({
      where: { ...inTheLastHour, ...ClientAttempt.fromAround(columns) } as FindOptionsWhere<Attempt>,
      order: { attemptedAt: 'DESC' } as FindOptionsOrder<Attempt>,
      take: this.limits.perHour * Math.max(...networks.map(({ factor }) => factor)),
    });
    const byAll = await attempts.countBy(inTheLastHour);
    const pendingByAll = await attempts.countBy({
      ...inTheLastHour,
      pendingUntil: MoreThan(now),
    });

    const wrongByClient = byClient.filter((attempt) => !isPending(attempt, now));
    const waitAfter = (counted: Attempt[], ofAll: number) =>
      attemptWait(this.limits, attemptsByNetwork(counted, networks), ofAll, now);
    const wait = waitAfter(wrongByClient, byAll - pendingByAll);
    if (wait > 0) throw new TooManyRequests('attempts', new Problem('too_many_wrong_passphrases'), wait);
    if (waitAfter(byClient, byAll) > 0) throw new TooManyPending();

    const attempt = { id: newId(), ...columns, attemptedAt: now, pendingUntil: pendingEnd(now) };
    await attempts.insert({ ...attempt, ...ofRow } as QueryDeepPartialEntity<Attempt>);
    return attempt;
  }
}

/** Thrown when pending attempts use up the limit, so that the transaction is rolled back. */
class TooManyPending extends Error {}

function pendingEnd(now: Date): Date {
  return new Date(now.getTime() + PENDING_MS);
}

function isPending({ pendingUntil }: PendingAttempt, now: Date): boolean {
  return pendingUntil !== null && pendingUntil > now;
}

/** A clock that starts at `now`. */
export function clockFrom(now: Date): () => Date {
  const startedAt = performance.now();
  return () => new Date(now.getTime() + Math.floor(performance.now() - startedAt));
}
