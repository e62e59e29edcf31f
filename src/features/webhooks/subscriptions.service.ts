import { setImmediate } from 'node:timers/promises';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import { CronExpression } from '@nestjs/schedule';
import { InjectRepository } from '@nestjs/typeorm';
import type { FindOptionsWhere } from 'typeorm';
import { IsNull, MoreThan, Repository } from 'typeorm';
import { Job } from '../../platform/scheduling/jobs.js';
import { WEBHOOK_CHANGES, WebhookChanges } from './webhook-changes.entity.js';
import { inBatches } from '../../platform/database/in-batches.js';
import { Webhook } from './webhook.entity.js';

/** Rows that are read at a time. */
const PART = 1000;

/** A webhook that is in use, and the types of events that it is told of. */
export type Subscription = Pick<Webhook, 'id' | 'userId' | 'events'>;

/**
 * The webhooks in use, in memory, so that a push costs no query to find out who is told of it. A change by another
 * process is noticed within seconds. One webhook takes about 200 bytes, and there are at most `MAX_WEBHOOKS`.
 */
@Injectable()
export class SubscriptionsService implements OnApplicationBootstrap {
  private byAccount = new Map<string | null, Subscription[]>();
  private changes?: number;
  private turn: Promise<unknown> = Promise.resolve();

  constructor(
    @InjectRepository(Webhook) private readonly webhooks: Repository<Webhook>,
    @InjectRepository(WebhookChanges) private readonly counter: Repository<WebhookChanges>,
  ) {}

  onApplicationBootstrap(): Promise<void> {
    return this.refresh();
  }

  /** The webhooks of an account, or with null those of the instance, that are told of events of this type. */
  of(userId: string | null, type: string): Subscription[] {
    return this.byAccount.get(userId)?.filter(({ events }) => events.split(',').includes(type)) ?? [];
  }

  /** Reads all webhooks again if any has changed, by another process too. */
  @Job({ name: 'webhooks', every: CronExpression.EVERY_5_SECONDS })
  refresh(): Promise<void> {
    return this.afterPrevious(async () => {
      const row = await this.counter.findOneBy({ id: WEBHOOK_CHANGES });
      if (row?.changes === this.changes) return;
      this.byAccount = await this.readAll();
      this.changes = row?.changes;
    });
  }

  /** Reads the webhooks of an account again, or with null those of the instance, after a change. */
  refreshAccount(userId: string | null): Promise<void> {
    return this.afterPrevious(async () => {
      const own = await this.read({ userId: userId ?? IsNull() });
      if (own.length > 0) this.byAccount.set(userId, own);
      else this.byAccount.delete(userId);
    });
  }

  private async readAll(): Promise<Map<string | null, Subscription[]>> {
    const all: Subscription[] = [];
    const next = (last?: Subscription) => this.read(last ? { id: MoreThan(last.id) } : {});
    for await (const part of inBatches(PART, next)) {
      all.push(...part);
      await setImmediate();
    }
    return Map.groupBy(all, ({ userId }) => userId);
  }

  private async read(where: FindOptionsWhere<Webhook>): Promise<Subscription[]> {
    const rows = await this.webhooks.find({
      select: { id: true, userId: true, events: true },
      where: { ...where, disabledAt: IsNull() },
      order: { id: 'ASC' },
      take: PART,
    });
    return rows.map(({ id, userId, events }) => ({ id, userId, events }));
  }

  /** One after the other, so that none overwrites what a later one has read. */
  private afterPrevious(work: () => Promise<void>): Promise<void> {
    const done = this.turn.then(work);
    this.turn = done.catch(() => undefined);
    return done;
  }
}
