import { BadRequestException } from '@nestjs/common';
import { Problem } from '../../errors/problem.js';

const PER_PAGE = 50;
const LAST_PAGE = 200;

/** A page of a list, from 1 to 200. */
export class ListPage {
  static readonly LAST = LAST_PAGE;
  /** How many rows all pages can have: rows beyond them are not counted. */
  static readonly MAX_ROWS = PER_PAGE * LAST_PAGE;

  private constructor(readonly number: number) {}

  /** @throws BadRequestException unless `page` is absent or given once, as a whole number from 1 to 200 */
  static parse(page: unknown): ListPage {
    if (page === undefined) return new ListPage(1);
    const number = typeof page === 'string' && /^[1-9][0-9]{0,2}$/.test(page) ? Number(page) : Infinity;
    if (number > LAST_PAGE)
      throw new BadRequestException(new Problem('page_out_of_range', { max: LAST_PAGE }));
    return new ListPage(number);
  }

  get take(): number {
    return PER_PAGE;
  }

  get skip(): number {
    return (this.number - 1) * PER_PAGE;
  }
}

/** The response for a page of a list: the body, and how many items all pages have together. */
export class Paged<Body> {
  readonly perPage = PER_PAGE;
  readonly total: number;

  /** @param found how many items there are, counted further than to `ListPage.MAX_ROWS` or not */
  constructor(
    readonly body: Body,
    readonly page: number,
    found: number,
  ) {
    this.total = Math.min(found, ListPage.MAX_ROWS);
  }

  get totalPages(): number {
    return Math.max(Math.ceil(this.total / PER_PAGE), 1);
  }

  map<Other>(change: (body: Body) => Other): Paged<Other> {
    return new Paged(change(this.body), this.page, this.total);
  }

  /** The numbers of related pages, by link relation (RFC 8288). */
  get links(): Record<string, number> {
    const { page, totalPages } = this;
    return {
      first: 1,
      ...(page > 1 && { prev: Math.min(page - 1, totalPages) }),
      ...(page < totalPages && { next: page + 1 }),
      last: totalPages,
    };
  }
}
