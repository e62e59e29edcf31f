import { Injectable, NotFoundException } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { DataSource, IsNull, LessThan, MoreThan } from 'typeorm';
import { User } from '../auth/user.entity.js';
import type { Page } from '../common/page.js';
import { digestOf } from '../common/tokens.js';
import { findPage } from '../database/find-page.js';
import type { Groups } from '../database/groups.js';
import { Table } from '../database/table.js';
import type { NewRow, RowChange } from '../database/write.js';
import { makeChange } from '../database/write.js';
import type { PushChange } from './push.entity.js';
import { Push } from './push.entity.js';

/** Counters in a push that bound how much of its audit log may be written by floods. */
export type AuditCounter = 'failuresAudited' | 'ownerViewsAudited';

const MOST_AUDITED = 2000;

/** Pushes in the database. */
@Injectable()
export class PushStore {
  private readonly table: Table<Push>;
  private readonly byDigest: Groups<string, Push | undefined>;

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {
    this.table = new Table(dataSource, Push);
    this.byDigest = this.table.lookupBy('tokenDigest');
  }

  /** @throws NotFoundException */
  async find(urlToken: string): Promise<Push> {
    const push = await this.dataSource.manager.findOneBy(Push, { tokenDigest: digestOf(urlToken) });
    if (!push) throw new NotFoundException();
    return push;
  }

  /** @throws NotFoundException */
  async findWithPayload(urlToken: string): Promise<Push> {
    const push = await this.byDigest.ask(digestOf(urlToken));
    if (!push) throw new NotFoundException();
    return push;
  }

  /** What is not active is not even read, so that it takes no longer than what never was. */
  findIfActive(urlToken: string, now: Date): Promise<Push | null> {
    const active = { expiredOn: IsNull(), expiresAt: MoreThan(now) };
    return this.dataSource.manager.findOneBy(Push, { tokenDigest: digestOf(urlToken), ...active });
  }

  async findActive(userId: string, now: Date, page: Page): Promise<[Push[], number]> {
    const [pushes, total] = await this.list(userId, ACTIVE, now, page);
    return [pushes.filter((push) => !push.isExpired(now)), total]; // one may have ended since it was looked up
  }

  findExpired(userId: string, now: Date, page: Page): Promise<[Push[], number]> {
    return this.list(userId, `NOT (${ACTIVE})`, now, page);
  }

  /** Whether the account that a push is to belong to is still there. */
  hasAccount(userId: string): Promise<boolean> {
    return this.dataSource.manager.existsBy(User, { id: userId });
  }

  newRow(push: Push): NewRow {
    return this.table.newRow(push);
  }

  /** A change that is made unless the push is no longer as it was seen. */
  changeOf({ id, viewsCounted, deleted, expiredOn }: Push, change: PushChange): RowChange {
    return this.table.changeOf({ id, viewsCounted, deleted, expiredOn }, change);
  }

  /**
   * Makes the change that a rule asks for, as the push stands in the end: where someone else was faster, the rule
   * is asked again. Gives back what was changed, or undefined when the rule has nothing to change any more.
   */
  async change(
    manager: EntityManager,
    push: Push,
    rule: (push: Push) => PushChange | undefined,
  ): Promise<PushChange | undefined> {
    for (let current = push; ; current = await this.hold(manager, push.id)) {
      const change = rule(current);
      if (!change || (await makeChange(manager, this.changeOf(current, change)))) return change;
    }
  }

  /** Whether one more entry may be audited. Counted in the push's row, so that the bound is exact however many ask. */
  async mayAudit(manager: EntityManager, { id }: Push, counter: AuditCounter): Promise<boolean> {
    const { affected } = await manager.increment(Push, { id, [counter]: LessThan(MOST_AUDITED) }, counter, 1);
    return affected === 1;
  }

  /** The push as it is now; others wait to change it until the unit of work is done. */
  hold(manager: EntityManager, id: string): Promise<Push> {
    const isServer = this.dataSource.options.type !== 'better-sqlite3'; // on SQLite the unit has the whole database
    return manager.findOneOrFail(Push, {
      where: { id },
      ...(isServer && { lock: { mode: 'pessimistic_write' as const } }),
    });
  }

  private list(userId: string, state: string, now: Date, page: Page): Promise<[Push[], number]> {
    const pushes = this.dataSource.manager
      .createQueryBuilder(Push, 'push')
      .where('push.userId = :userId', { userId })
      .andWhere(state, { now })
      .orderBy('push.id', 'DESC');
    return findPage(pushes, page);
  }
}

/** The sign keeps SQLite from counting by the index of all that are alive, everyone's. */
const ACTIVE = 'push.expiredOn IS NULL AND + push.expiresAt > :now';
