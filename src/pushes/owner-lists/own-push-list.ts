import type { FileNames } from '../../files/files.service.js';
import type { AuditEntry, AuditKind } from '../../audit/audit-entry.entity.js';
import type { ListPage } from '../../platform/http/paging/list-page.js';
import { Paged } from '../../platform/http/paging/list-page.js';
import type { OwnLinkMail } from '../link-mails/own-link-mail.js';
import type { NoticeEvent } from '../push/notice-events.js';
import type { OwnPushDto } from '../push/push.dto.js';
import type { Push } from '../push/push.entity.js';

/** The views of a push, for its owner. */
export interface Views {
  push: OwnPushDto;
  /** How many views have been counted, of `push.expire_after_views`. */
  opened: number;
  /** The last of them; null when there was none, or its time is not known. */
  lastOpenedAt: Date | null;
}

/** A push in its owner's list. */
export interface ListedPush extends Views {
  /** Names it in forms: its token, or its id when the token cannot be read. */
  reference: string;
  /** How many files it has. */
  files: number;
}

/** How many pushes a search has found: all, those of the part of the list that was searched, or more than this. */
export interface Found {
  count: number;
  state: 'all' | 'part' | 'more';
}

/** A page of an owner's list. */
export class OwnPushList {
  constructor(
    readonly rows: ListedPush[],
    readonly page: number,
    readonly hasNext: boolean,
    /** Undefined while it is not known: a search goes no further than this page. */
    readonly totalPages?: number,
    /** The oldest push that was looked at, when there may be older ones: a search looks at so many at a time. */
    readonly searchedTo?: Pick<Push, 'id' | 'createdAt'>,
    /** What has been counted for it. */
    readonly counts: Partial<OwnPushCounts> = {},
    /** How many a search has found; absent for a list that is none. */
    readonly found?: Found,
  ) {}

  /** A list whose end was reached in a search. @param total how many were found */
  static ofSearched(
    rows: ListedPush[],
    page: ListPage,
    total: number,
    searchedTo?: OwnPushList['searchedTo'],
  ): OwnPushList {
    const { totalPages } = new Paged(rows, page.number, total);
    const found = { count: total, state: searchedTo ? ('part' as const) : ('all' as const) };
    return new OwnPushList(rows, page.number, false, totalPages, searchedTo, {}, found);
  }

  /** A page of a search, after which there are more. */
  static ofSearchedMore(rows: ListedPush[], page: ListPage): OwnPushList {
    const found = { count: page.skip + rows.length, state: 'more' as const };
    return new OwnPushList(rows, page.number, true, undefined, undefined, {}, found);
  }

  /**
   * All that are active, or all that have expired.
   * @param total how many there are on all pages
   */
  static ofAll(which: keyof OwnPushCounts, rows: ListedPush[], page: ListPage, total: number): OwnPushList {
    const { totalPages } = new Paged(rows, page.number, total);
    const hasNext = page.number < totalPages;
    return new OwnPushList(rows, page.number, hasNext, totalPages, undefined, { [which]: total });
  }

  /** Whether the list ends before this page. */
  get isPastEnd(): boolean {
    return this.page > 1 && this.rows.length === 0;
  }
}

/** How many pushes an owner has, each counted as far as by `IdList.count`. */
export interface OwnPushCounts {
  active: number;
  expired: number;
}

/** The files of a push, for its owner. */
export interface OwnFiles extends FileNames {
  count: number;
}

/** The activity of a push, for its owner. */
export interface OwnActivity extends Views {
  /** The events that the owner may still get a mail about. */
  notices: NoticeEvent[];
  entries: Paged<AuditEntry[]>;
  /** The mails that entries are about, by the id of the entry. */
  mails: Map<string, OwnLinkMail[]>;
  /** The recipients who caused entries, by the id of the entry; undefined for one that cannot be read. */
  recipients: Map<string, string | undefined>;
  /**
   * Of those who may open it, when each did so last, undefined for one who has not; undefined when that is not known,
   * because it was opened very often.
   */
  lastOpenings?: Map<string, Date>;
  /** The email addresses that were entered by those who were refused, in the same way. */
  entered: Map<string, string | undefined>;
  files: OwnFiles;
  /** When it ended without a request, and the index of the entry before which that belongs, if it is on this page. */
  ended?: { at: Date; index: number };
}

/** The columns of the exported log of a push. */
export const ACTIVITY_COLUMNS: readonly (keyof ActivityRow)[] = [
  ...(['created_at', 'kind', 'by_owner', 'email', 'file'] as const),
  ...(['ip', 'user_agent', 'referrer'] as const),
];

/** A line of it. */
export interface ActivityRow {
  created_at: string;
  kind: AuditKind;
  by_owner: boolean;
  /** Of the recipient who opened it, or as somebody entered it who was refused. */
  email?: string;
  /** As in `AuditEntry`. */
  file?: number;
  ip: string;
  user_agent: string;
  referrer: string;
}

/** What became of pushes that an owner wanted to delete. */
export interface DeletionOutcome {
  deleted: number;
  /** Number of pushes that were not found among the owner's. */
  unknown: number;
}
