import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, FindOptionsWhere } from 'typeorm';
import { And, Between, In, IsNull, LessThan, MoreThanOrEqual, Not, Repository } from 'typeorm';
import { AuditService } from '../../audit/audit.service.js';
import { User } from '../../auth/entities/user.entity.js';
import { isUnavailable } from '../../platform/database/errors/database-error.js';
import { Pace } from '../../platform/database/pace.js';
import { writeWithin } from '../../platform/database/statements/statements.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { FilesService } from '../../files/files.service.js';
import { Settings } from '../../platform/settings/settings.js';
import { limitShreddedBytes } from '../push/limit-shredded-bytes.js';
import { PushEvents, PushExpired } from '../push/push-events.js';
import { ENDED, Push } from '../push/push.entity.js';
import { DAY_MS } from '../../platform/settings/units.js';
import { engineOf } from '../../platform/database/engines/engines.js';

/** Pushes in a batch: few, because a transaction blocks the others. */
const BATCH = 100;

/** Pushes that fail before a run ends: then it is hardly about one of them. */
const MAX_FAILURES = 100;

/** The columns that the event for an ended push needs, and whether its owner gets a mail. */
type EndingPush = Pick<Push, keyof typeof EVENT_COLUMNS>;
const EVENT_COLUMNS = {
  id: true,
  kind: true,
  userId: true,
  expiresAt: true,
  expiredOn: true,
  notifyOn: true,
} as const;

/** Ends pushes past their time limit, and removes ended ones later. Two runs may overlap. */
@Injectable()
export class ExpiryService {
  constructor(
    private readonly settings: Settings,
    @InjectRepository(Push) private readonly pushes: Repository<Push>,
    private readonly unitOfWork: UnitOfWork,
    private readonly files: FilesService,
    private readonly audit: AuditService,
    private readonly events: PushEvents,
  ) {}

  /** Ends and shreds the pushes past their time limit; returns how many. */
  expireOverdue(now = new Date(), signal?: AbortSignal): Promise<number> {
    const overdue = (from: Date) => ({ expiredOn: IsNull(), expiresAt: Between(from, now) });
    return this.inBatches('expiresAt', overdue, signal, async (batch) => {
      const ids = batch.map(({ id }) => id);
      const events = new Map(batch.map((push) => [push.id, new PushExpired(push, push.expiresAt, 'days')]));
      const { withoutIndex } = engineOf(this.pushes.manager.dataSource);
      const { affected } = await this.unitOfWork.run(async (manager) => {
        const reported = await this.lockWanted(batch, events, manager);
        const result = await manager
          .createQueryBuilder()
          .update(Push)
          .set({
            expiredOn: () => 'expires_at',
            updatedAt: () => 'expires_at',
            version: () => 'version + 1',
            ...ENDED,
          })
          .where({ id: In(ids) })
          .andWhere(`${withoutIndex('expired_on')} IS NULL`) // SQLite would scan that of all active pushes
          .execute();
        await writeWithin(manager, (tx) => {
          for (const push of reported) this.events.notify(tx, events.get(push.id) as PushExpired, push, now);
          this.files.end(tx, ids, now); // after the pushes: see docs/architecture.md, lock order
        });
        return result;
      });
      const ended = affected === batch.length ? batch : await this.endedByTimeLimit(ids);
      for (const { id } of ended) this.events.emit(events.get(id) as PushExpired);
      return affected ?? 0;
    });
  }

  /** Removes pushes some time after their end: those without an owner after a day, others after RETENTION_DAYS. */
  async purge(now = new Date(), signal?: AbortSignal): Promise<number> {
    const { RETENTION_DAYS } = this.settings;
    const ownerless = await this.remove(daysBefore(now, 1), { userId: IsNull() }, signal);
    if (RETENTION_DAYS === undefined) return ownerless;

    return ownerless + (await this.remove(daysBefore(now, RETENTION_DAYS), {}, signal));
  }

  private remove(endedBefore: Date, which: FindOptionsWhere<Push>, signal?: AbortSignal): Promise<number> {
    const ended = (from: Date) => ({
      ...which,
      expiredOn: And(MoreThanOrEqual(from), LessThan(endedBefore)),
    });
    return this.inBatches('expiredOn', ended, signal, async (batch) => {
      const ids = batch.map(({ id }) => id);
      await this.audit.removeLogs(ids, signal);
      if (signal?.aborted) return 0; // deleting the pushes would delete the rest of their logs in one transaction
      const { affected } = await this.unitOfWork.run((manager) => manager.delete(Push, { id: In(ids) }));
      return affected ?? 0;
    });
  }

  /** Locks the pushes that somebody wants to know about: only those that this transaction ends are reported by it. */
  private async lockWanted(
    batch: EndingPush[],
    events: ReadonlyMap<string, PushExpired>,
    manager: EntityManager,
  ): Promise<Push[]> {
    const wanted = batch.filter((push) => this.events.isWanted(events.get(push.id) as PushExpired, push));
    if (wanted.length === 0) return [];
    const owners = wanted.flatMap(({ userId }) => userId ?? []);
    await this.unitOfWork.findAllForUpdate(manager, User, { id: In(owners) }); // a message refers to its account
    const ending = { id: In(wanted.map(({ id }) => id)), expiredOn: IsNull() };
    return this.unitOfWork.findAllForUpdate(manager, Push, ending);
  }

  /** The pushes that the time limit has ended, without those that a concurrent view or delete has ended. */
  private endedByTimeLimit(ids: string[]): Promise<EndingPush[]> {
    return this.pushes
      .createQueryBuilder('push')
      .select(Object.keys(EVENT_COLUMNS).map((column) => `push.${column}`))
      .where({ id: In(ids), deleted: false })
      .andWhere('push.expiredOn = push.expiresAt')
      .getMany();
  }

  /** Continues where the last batch ended: entries before it may be deleted but still in the index, and slow. */
  private async inBatches(
    moment: 'expiresAt' | 'expiredOn',
    which: (from: Date) => FindOptionsWhere<Push>,
    signal: AbortSignal | undefined,
    act: (batch: EndingPush[]) => Promise<number>,
  ): Promise<number> {
    const { isOrderedByNull } = engineOf(this.pushes.manager.dataSource);
    const pace = new Pace();
    const failures = new Map<string, unknown>();
    let done = 0;
    for (let from = new Date(0); !signal?.aborted;) {
      const found = await this.pushes.find({
        select: EVENT_COLUMNS,
        where: { ...which(from), ...(failures.size > 0 && { id: Not(In([...failures.keys()])) }) },
        order: { ...(isOrderedByNull && { expiredOn: 'ASC' }), [moment]: 'ASC' },
        take: BATCH,
      });
      if (found.length === 0) break;

      const batch = await limitShreddedBytes(this.pushes, found);
      done += await actOn(batch, act, failures);
      from = batch.at(-1)?.[moment] ?? from;
      await pace.pause();
    }
    if (failures.size > 0) throw failures.values().next().value;
    return done;
  }
}

/**
 * A push that cannot be ended or removed, for example because of a custom module, is left for the next run and does not
 * keep the others from their turn.
 * @param failures by the id of the push
 */
async function actOn(
  batch: EndingPush[],
  act: (batch: EndingPush[]) => Promise<number>,
  failures: Map<string, unknown>,
): Promise<number> {
  try {
    return await act(batch);
  } catch (error) {
    const [only] = batch;
    if (isUnavailable(error) || failures.size >= MAX_FAILURES || !only) throw error;
    if (batch.length === 1) {
      failures.set(only.id, error);
      return 0;
    }
    let done = 0;
    for (const push of batch) done += await actOn([push], act, failures);
    return done;
  }
}

function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * DAY_MS);
}
