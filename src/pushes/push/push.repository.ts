import { Injectable, NotFoundException } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { SelectQueryBuilder } from 'typeorm';
import { IsNull, LessThan, LessThanOrEqual, MoreThan, Repository } from 'typeorm';
import type { ListPage } from '../../http/paging/list-page.js';
import { MAX_AUDITED } from '../../audit/audit-entry.entity.js';
import { digestOf } from '../../random/tokens.js';
import { CLOCK_DIFFERENCE_MS } from '../../database/cap-times.js';
import type { Batcher } from '../../database/statements/batcher.js';
import { findPage } from '../../http/paging/find-page.js';
import { PreparedStatements, statementOf } from '../../database/statements/prepared-statements.js';
import { UnitOfWork } from '../../database/transactions/unit-of-work.js';
import type { ConditionalUpdate, NewRow, Write } from '../../database/transactions/write.js';
import type { PushChange } from './push.entity.js';
import { passphraseNoticeCutoff, Push } from './push.entity.js';

/** Counters in a push that limit how many audit entries of a kind are written. */
export type AuditCounter = 'failuresAudited' | 'ownerViewsAudited';

/** A push as it was when a rule was applied, and what the rule changed, if anything. */
export interface AppliedRule {
  push: Push;
  change?: PushChange;
}

/** Pushes in the database. */
@Injectable()
export class PushRepository {
  private readonly statements: PreparedStatements<Push>;
  private readonly byDigest: Batcher<string, Push | undefined>;

  constructor(
    @InjectRepository(Push) private readonly pushes: Repository<Push>,
    private readonly unitOfWork: UnitOfWork,
  ) {
    this.statements = new PreparedStatements(pushes.manager.dataSource, Push);
    this.byDigest = this.statements.lookupBy('tokenDigest');
  }

  /** @throws NotFoundException */
  async find(urlToken: string): Promise<Push> {
    const push = await this.pushes.findOneBy({ tokenDigest: digestOf(urlToken) });
    if (!push) throw new NotFoundException();
    return push;
  }

  /** @throws NotFoundException */
  findWithPayload(urlToken: string): Promise<Push> {
    return this.load(digestOf(urlToken));
  }

  findById(id: string): Promise<Push | null> {
    return this.pushes.findOneBy({ id });
  }

  /**
   * A push of this account.
   * @param reference its token, or its id
   */
  findOwn(userId: string, reference: string): Promise<Push | null> {
    return this.pushes.findOneBy([
      { userId, tokenDigest: digestOf(reference) },
      { userId, id: reference },
    ]);
  }

  /** Does not read an expired push, so that it takes no longer than one that never existed. */
  findIfActive(urlToken: string, now: Date): Promise<Push | null> {
    const tokenDigest = digestOf(urlToken);
    return this.pushes.findOneBy({ tokenDigest, expiredOn: IsNull(), expiresAt: MoreThan(now) });
  }

  async findActive(userId: string, now: Date, page: ListPage): Promise<[Push[], number]> {
    const [pushes, total] = await this.list(userId, ACTIVE, now, page);
    return [pushes.filter((push) => !push.isExpired(now)), total]; // a push may have expired since its id was read
  }

  findExpired(userId: string, now: Date, page: ListPage): Promise<[Push[], number]> {
    return this.list(userId, EXPIRED, now, page);
  }

  /** The owner's newest pushes that are older than the one with this id, newest first. */
  findOwnBefore(userId: string, id: string | undefined, take: number): Promise<Push[]> {
    const older = id === undefined ? {} : { id: LessThan(id) };
    return this.pushes
      .createQueryBuilder('push')
      .useIndex('pushes_of_owner') // MySQL would sort all pushes of the owner
      .where({ userId, ...older })
      .orderBy('push.id', 'DESC')
      .limit(take)
      .getMany();
  }

  async countOwn(userId: string, now: Date): Promise<{ active: number; expired: number }> {
    const active = await this.ofOwner(userId, ACTIVE, now).getCount();
    return { active, expired: await this.ofOwner(userId, EXPIRED, now).getCount() };
  }

  newRow(push: Push): NewRow {
    return this.statements.newRow(push);
  }

  /** Counts one more audit entry, up to the limit. The counter is in the push's row, so that the limit is exact. */
  auditEntryUpdate(push: Push, counter: AuditCounter): ConditionalUpdate {
    return this.statements.conditionalIncrement(MAX_AUDITED, push, counter);
  }

  /** Records that a mail about a wrong passphrase is added, unless there was one in the last hour. */
  passphraseNoticeUpdate({ id }: Push, now: Date): ConditionalUpdate {
    const isDue = [
      { id, passphraseNoticeAt: IsNull() },
      { id, passphraseNoticeAt: LessThanOrEqual(passphraseNoticeCutoff(now)) },
      { id, passphraseNoticeAt: MoreThan(new Date(now.getTime() + CLOCK_DIFFERENCE_MS)) }, // of a clock that was ahead
    ];
    const update = this.pushes.createQueryBuilder().update().set({ passphraseNoticeAt: now }).where(isDue);
    return { rowId: id, ...statementOf(update) };
  }

  /**
   * Makes the change that `rule` returns, and commits it together with what `additionalWrite` adds. If another request
   * has changed the push since it was read, reads it and applies the rule again.
   */
  async apply(
    push: Push,
    rule: (push: Push) => PushChange | undefined,
    additionalWrite: (push: Push, change: PushChange) => Omit<Write, 'conditionalUpdate'>,
  ): Promise<AppliedRule> {
    for (let current = push; ; current = await this.load(push.tokenDigest)) {
      const change = rule(current);
      if (!change) return { push: current };

      const conditionalUpdate = this.statements.conditionalUpdate(current, change);
      if (await this.unitOfWork.write({ conditionalUpdate, ...additionalWrite(current, change) }))
        return { push: current, change };
    }
  }

  private async load(tokenDigest: string): Promise<Push> {
    const push = await this.byDigest.submit(tokenDigest);
    if (!push) throw new NotFoundException();
    return push;
  }

  private list(userId: string, state: string, now: Date, page: ListPage): Promise<[Push[], number]> {
    return findPage(this.ofOwner(userId, state, now).orderBy('push.id', 'DESC'), page);
  }

  private ofOwner(userId: string, state: string, now: Date): SelectQueryBuilder<Push> {
    return this.pushes
      .createQueryBuilder('push')
      .where('push.userId = :userId', { userId })
      .andWhere(state, { now });
  }
}

/** The plus sign keeps SQLite from counting with the index of all accounts' active pushes. */
const ACTIVE = 'push.expiredOn IS NULL AND + push.expiresAt > :now';
const EXPIRED = `NOT (${ACTIVE})`;
