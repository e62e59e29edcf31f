import { Injectable, NotFoundException } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { SelectQueryBuilder } from 'typeorm';
import { IsNull, LessThanOrEqual, MoreThan, Repository } from 'typeorm';
import { ListPage } from '../../platform/http/paging/list-page.js';
import { MAX_AUDITED } from '../../audit/audit-entry.entity.js';
import { digestOf } from '../../platform/random/random.js';
import { CLOCK_DIFFERENCE_MS } from '../../platform/database/cap-times.js';
import type { Batcher } from '../../platform/database/transactions/batcher.js';
import { IdList } from '../../platform/http/paging/find-page.js';
import { PreparedStatements, statementOf } from '../../platform/database/statements/statements.js';
import type { Transaction } from '../../platform/database/transactions/unit-of-work.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import type { Visitor } from '../../platform/http/visitor.js';
import type { PushChange } from './push.entity.js';
import { passphraseNoticeCutoff, Push } from './push.entity.js';

/** Counters in a push that limit how many audit entries of a kind are written. */
type AuditCounter = 'failuresAudited' | 'ownerViewsAudited';

/** A push as it was when a rule was applied, and what the rule changed, if anything. */
export interface AppliedRule {
  push: Push;
  change?: PushChange;
}

/**
 * Pushes past their time limit that a list has before the schedule has recorded their end. There are more only after an
 * outage, for a minute.
 */
const MAX_OVERDUE = 2000;
/** The orders of a list of active pushes: by creation or by limit of time, each with an index. */
export const ACTIVE_ORDERS = ['newest', 'oldest', 'first_to_end', 'last_to_end'] as const;

export type ActiveOrder = (typeof ACTIVE_ORDERS)[number];

/** Ids are hexadecimal. */
const AFTER_ALL_IDS = 'g';
const IS_ACTIVE = 'push.expiresAt > :now';

/** Pushes in the database. */
@Injectable()
export class PushRepository {
  private readonly statements: PreparedStatements<Push>;
  private readonly byDigest: Batcher<string, Push | undefined>;
  private readonly listedByDigest: Batcher<string, Push | undefined>;
  private readonly active: Record<ActiveOrder, IdList>;
  private readonly ended: IdList;
  private readonly overdue: IdList;
  private readonly older: IdList;

  constructor(
    @InjectRepository(Push) private readonly pushes: Repository<Push>,
    private readonly unitOfWork: UnitOfWork,
  ) {
    this.statements = new PreparedStatements(pushes.manager.dataSource, Push);
    this.byDigest = this.statements.lookupBy('tokenDigest');
    this.listedByDigest = this.statements.lookupBy('tokenDigest', 'listed');
    this.active = {
      newest: new IdList(this.inList(false).andWhere(IS_ACTIVE).orderBy('push.id', 'DESC')),
      oldest: new IdList(this.inList(false).andWhere(IS_ACTIVE).orderBy('push.id', 'ASC')),
      first_to_end: new IdList(this.byLimit('ASC').andWhere(IS_ACTIVE)),
      last_to_end: new IdList(this.byLimit('DESC').andWhere(IS_ACTIVE)),
    };
    this.ended = new IdList(this.inList(true).orderBy('push.id', 'DESC'));
    this.overdue = new IdList(this.byLimit('DESC').andWhere('push.expiresAt <= :now'));
    this.older = new IdList(
      pushes
        .createQueryBuilder('push')
        .useIndex('pushes_of_owner_by_id') // MySQL would sort all pushes of the owner
        .where('push.userId = :userId AND push.id < :before')
        .orderBy('push.id', 'DESC'),
    );
  }

  /** @throws NotFoundException also when it is hidden from the visitor */
  async find(urlToken: string, visitor: Pick<Visitor, 'userId'>): Promise<Push> {
    const push = await this.listedByDigest.submit(digestOf(urlToken));
    if (!push || push.isHiddenFrom(visitor.userId)) throw new NotFoundException();
    return push;
  }

  /**
   * The same for its owner.
   * @param otherwise the error for others
   */
  async findOwn(
    urlToken: string,
    visitor: Visitor,
    otherwise: () => Error = () => new NotFoundException(),
  ): Promise<Push> {
    const push = await this.find(urlToken, visitor);
    if (!push.isOwnedBy(visitor.userId)) throw otherwise();
    return push;
  }

  async isOwn(urlToken: string, { userId }: Visitor): Promise<boolean> {
    return userId !== undefined && this.pushes.existsBy({ tokenDigest: digestOf(urlToken), userId });
  }

  /** @throws NotFoundException also when it is hidden from the visitor */
  async findWithPayload(urlToken: string, visitor: Pick<Visitor, 'userId'>): Promise<Push> {
    const push = await this.load(digestOf(urlToken));
    if (push.isHiddenFrom(visitor.userId)) throw new NotFoundException();
    return push;
  }

  findById(id: string): Promise<Push | null> {
    return this.pushes.findOneBy({ id });
  }

  /**
   * A push of this account.
   * @param reference its token, or its id
   */
  findReferenced(userId: string, reference: string): Promise<Push | null> {
    return this.pushes.findOneBy([
      { userId, tokenDigest: digestOf(reference) },
      { userId, id: reference },
    ]);
  }

  /**
   * Does not read an expired push, so that it takes no longer than one that never existed.
   * @throws NotFoundException also when it is hidden from the visitor
   */
  async findIfActive(urlToken: string, visitor: Pick<Visitor, 'userId'>, now: Date): Promise<Push> {
    const active = { tokenDigest: digestOf(urlToken), expiredOn: IsNull(), expiresAt: MoreThan(now) };
    const push = await this.pushes.findOneBy(active);
    if (!push || push.isHiddenFrom(visitor.userId)) throw new NotFoundException();
    return push;
  }

  /** Those of these pushes that exist, in the order of the ids. */
  findByIds(ids: string[]): Promise<Push[]> {
    return this.statements.findByIds(ids);
  }

  async findActive(
    userId: string,
    now: Date,
    page: ListPage,
    order: ActiveOrder = 'newest',
  ): Promise<[Push[], number]> {
    const [ids, total] = await this.active[order].findPage(page, { userId, now });
    const pushes = await this.statements.findByIds(ids);
    return [pushes.filter((push) => !push.isExpired(now)), total]; // a push may have expired since its id was read
  }

  /** Those that have ended, and those past their time limit, whose end the schedule records soon. */
  async findExpired(userId: string, now: Date, page: ListPage): Promise<[Push[], number]> {
    const overdue = await this.overdue.first(MAX_OVERDUE, { userId, now });
    if (overdue.length === 0) {
      const [ids, total] = await this.ended.findPage(page, { userId });
      return [await this.statements.findByIds(ids), total];
    }

    const skipped = Math.max(0, page.skip - overdue.length); // these are on earlier pages, whatever is between them
    const around = await this.ended.find(page.skip + page.take - skipped, skipped, { userId });
    const first = page.skip - skipped;
    const ids = [...around, ...overdue]
      .sort()
      .reverse()
      .slice(first, first + page.take);
    return [await this.statements.findByIds(ids), overdue.length + (await this.ended.count({ userId }))];
  }

  /**
   * The owner's newest pushes that are older than the one with this id, newest first. Their ids are read first: for whole
   * rows servers would read all newer ones of the owner too.
   */
  async findOwnBefore(userId: string, id: string | undefined, take: number): Promise<Push[]> {
    const before = id ?? AFTER_ALL_IDS;
    return this.statements.findByIds(await this.older.first(take, { userId, before }));
  }

  countActive(userId: string, now: Date): Promise<number> {
    return this.active.newest.count({ userId, now });
  }

  async countExpired(userId: string, now: Date): Promise<number> {
    const overdue = await this.overdue.count({ userId, now }, MAX_OVERDUE);
    return (await this.ended.count({ userId })) + overdue;
  }

  insert(tx: Transaction, push: Push): void {
    if (push.userId !== null) tx.lockParent('users', push.userId);
    this.statements.insert(tx, push);
  }

  /** Counts one more audit entry, up to the limit. The counter is in the push's row, so that the limit is exact. */
  countAuditEntryOrAbort(tx: Transaction, push: Push, counter: AuditCounter): void {
    this.statements.incrementOrAbort(tx, push, counter, MAX_AUDITED);
  }

  /** Records that a mail about a wrong passphrase is added, unless there was one in the last hour. */
  recordPassphraseNoticeOrAbort(tx: Transaction, { id }: Push, now: Date): void {
    const isDue = [
      { id, passphraseNoticeAt: IsNull() },
      { id, passphraseNoticeAt: LessThanOrEqual(passphraseNoticeCutoff(now)) },
      { id, passphraseNoticeAt: MoreThan(new Date(now.getTime() + CLOCK_DIFFERENCE_MS)) }, // of a clock that was ahead
    ];
    const update = this.pushes.createQueryBuilder().update().set({ passphraseNoticeAt: now }).where(isDue);
    tx.updateOrAbort({ rowId: id, ...statementOf(update) });
  }

  /**
   * Makes the change that `rule` returns, and commits it together with what `record` adds. If another request has changed
   * the push since it was read, reads it and applies the rule again.
   */
  async apply(
    push: Push,
    rule: (push: Push) => PushChange | undefined,
    record: (tx: Transaction, push: Push, change: PushChange) => void,
  ): Promise<AppliedRule> {
    for (let current = push; ; current = await this.load(push.tokenDigest)) {
      const change = rule(current);
      if (!change) return { push: current };

      const isCommitted = await this.unitOfWork.write((tx) => {
        this.statements.updateOrAbort(tx, current, change);
        record(tx, current, change);
      });
      if (isCommitted) return { push: current, change };
    }
  }

  private async load(tokenDigest: string): Promise<Push> {
    const push = await this.byDigest.submit(tokenDigest);
    if (!push) throw new NotFoundException();
    return push;
  }

  /** The active or the ended ones of `:userId`. */
  private inList(ended: boolean): SelectQueryBuilder<Push> {
    return this.pushes
      .createQueryBuilder('push')
      .useIndex('pushes_of_owner_in_list')
      .where(`push.userId = :userId AND push.ended = ${ended}`);
  }

  /** Those of `:userId` whose end was not recorded, by their limit of time. */
  private byLimit(direction: 'ASC' | 'DESC'): SelectQueryBuilder<Push> {
    return this.inList(false)
      .useIndex('pushes_of_owner_by_limit')
      .orderBy('push.expiresAt', direction)
      .addOrderBy('push.id', direction);
  }
}
