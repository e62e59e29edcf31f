import type { Page } from '../../http/page.js';
import { Paged } from '../../http/page.js';
import type { OwnPushDto } from '../push.dto.js';

/** A push in its owner's list. */
export interface ListedPush {
  push: OwnPushDto;
  /** How many views have been counted, of `push.expire_after_views`. */
  opened: number;
  /** The last of them; null when there was none, or its time is not known. */
  lastOpenedAt: Date | null;
}

/** A page of an owner's list. */
export class OwnPushList {
  constructor(
    readonly rows: ListedPush[],
    readonly page: number,
    readonly hasNext: boolean,
    /** Undefined for a list that was searched only up to this page. */
    readonly totalPages?: number,
    /** Whether older pushes were not looked at, because there are too many. */
    readonly isCut = false,
  ) {}

  /** @param total how many there are on all pages */
  static ofKnownLength(rows: ListedPush[], page: Page, total: number): OwnPushList {
    const { totalPages } = new Paged(rows, page.number, total);
    return new OwnPushList(rows, page.number, page.number < totalPages, totalPages);
  }

  /** Whether the list ends before this page. */
  get isPastEnd(): boolean {
    return this.page > 1 && this.rows.length === 0;
  }
}

/** How many pushes an owner has. */
export interface OwnPushCounts {
  active: number;
  expired: number;
}

/** What became of pushes that an owner wanted to delete. */
export interface SeveralDeleted {
  deleted: number;
  /** Not found among the owner's pushes. */
  unknown: number;
}
