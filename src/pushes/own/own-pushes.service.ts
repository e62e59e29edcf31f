import { Injectable, NotFoundException } from '@nestjs/common';
import type { Page } from '../../http/page.js';
import type { Visitor } from '../../http/visitor.js';
import { OwnPushDto } from '../push.dto.js';
import type { Push } from '../push.entity.js';
import type { OwnerFields } from '../push-seal.js';
import { PushSeal } from '../push-seal.js';
import { PushRepository } from '../push.repository.js';
import { ownId, PushesService } from '../pushes.service.js';
import { EventLoopTurns } from './event-loop-turns.js';
import type { OwnPushFilter } from './own-push-filter.js';
import type { ListedPush, OwnPushCounts, SeveralDeleted } from './own-push-list.js';
import { OwnPushList } from './own-push-list.js';

/** How many of an owner's newest pushes are searched. */
export const MAX_SEARCHED = 2000;
/** Few, because SQLite reads them in one turn of the event loop, and rows with large payloads are slow to read. */
const BATCH = 25;

/** The pushes of one account, for the pages of its owner. */
@Injectable()
export class OwnPushesService {
  constructor(
    private readonly repository: PushRepository,
    private readonly pushes: PushesService,
    private readonly pushSeal: PushSeal,
  ) {}

  /**
   * A page of the owner's pushes, newest first. Names and notes are sealed, so they are opened and compared here: of the
   * newest pushes only, and no further than to the end of the page.
   */
  async list(visitor: Visitor, filter: OwnPushFilter, page: Page, now = new Date()): Promise<OwnPushList> {
    return filter.isByEndOnly
      ? this.listByEnd(visitor, filter, page, now)
      : this.search(visitor, filter, page, now);
  }

  count(visitor: Visitor, now = new Date()): Promise<OwnPushCounts> {
    return this.repository.countOwn(ownId(visitor), now);
  }

  /** Ends those of these pushes that the visitor owns, each by itself. Repeating it changes nothing. */
  async deleteSeveral(visitor: Visitor, urlTokens: string[]): Promise<SeveralDeleted> {
    const outcome = { deleted: 0, unknown: 0 };
    for (const urlToken of new Set(urlTokens)) {
      outcome[(await this.deleteOwn(visitor, urlToken)) ? 'deleted' : 'unknown'] += 1;
    }
    return outcome;
  }

  private async deleteOwn(visitor: Visitor, urlToken: string): Promise<boolean> {
    try {
      await this.pushes.findOwn(urlToken, visitor);
      await this.pushes.delete(urlToken, visitor);
      return true;
    } catch (error) {
      if (error instanceof NotFoundException) return false;
      throw error;
    }
  }

  private async listByEnd(
    visitor: Visitor,
    { state }: OwnPushFilter,
    page: Page,
    now: Date,
  ): Promise<OwnPushList> {
    const find = state === 'active' ? 'findActive' : 'findExpired';
    const [found, total] = await this.repository[find](ownId(visitor), now, page);
    const rows = found.map((push) => listed(push, this.pushSeal.openOwnerFields(push), visitor, now));
    return OwnPushList.ofKnownLength(rows, page, total);
  }

  private async search(visitor: Visitor, filter: OwnPushFilter, page: Page, now: Date): Promise<OwnPushList> {
    const rows: ListedPush[] = [];
    const turns = new EventLoopTurns();
    let searched = 0;
    let found = 0;
    for await (const push of this.newestFirst(ownId(visitor))) {
      if (searched === MAX_SEARCHED) return new OwnPushList(rows, page.number, false, undefined, true);
      searched += 1;
      const fields = this.fieldsIfFound(push, filter, found >= page.skip, now);
      await turns.giveWay();
      if (!fields) continue;
      found += 1;
      if (found > page.skip + page.take) return new OwnPushList(rows, page.number, true);
      if (found > page.skip && fields !== UNREAD) rows.push(listed(push, fields, visitor, now));
    }
    return new OwnPushList(rows, page.number, false);
  }

  /** Opens only what has to be compared or shown. */
  private fieldsIfFound(push: Push, filter: OwnPushFilter, isShown: boolean, now: Date) {
    if (!filter.fits(push, now)) return undefined;
    if (!filter.hasText && !isShown) return UNREAD;
    const fields = this.pushSeal.openOwnerFields(push);
    return filter.finds(fields) ? fields : undefined;
  }

  private async *newestFirst(userId: string): AsyncIterable<Push> {
    for (let before: string | undefined; ;) {
      const batch = await this.repository.findOwnBefore(userId, before, BATCH);
      yield* batch;
      if (batch.length < BATCH) return;
      before = batch.at(-1)?.id;
    }
  }
}

/** The fields of a push on an earlier page. */
const UNREAD = Symbol('unread');

function listed(push: Push, fields: OwnerFields, visitor: Visitor, now: Date): ListedPush {
  return {
    push: OwnPushDto.ofOwn(push, fields, visitor, now),
    opened: push.viewsCounted,
    lastOpenedAt: push.lastViewedOn(),
  };
}
