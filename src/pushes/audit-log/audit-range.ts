import { BadRequestException } from '@nestjs/common';
import { Problem } from '../../platform/errors/problem.js';

const DEFAULT_LIMIT = 1000;
const MAX_LIMIT = 10_000;

/** A part of the audit log of an account. */
export class AuditRange {
  private constructor(
    /** Only entries whose numbers are greater. */
    readonly after: number,
    /** At most this many entries. */
    readonly limit: number,
  ) {}

  /** The whole log. */
  static readonly ALL = new AuditRange(0, Infinity);

  /** @throws BadRequestException unless each is absent or given once, as a whole number within its bounds */
  static parse(after: unknown, limit: unknown): AuditRange {
    const from = wholeNumber(after, 0);
    if (from === undefined) throw new BadRequestException(new Problem('audit_after_malformed'));
    const count = wholeNumber(limit, DEFAULT_LIMIT);
    if (count === undefined || count < 1 || count > MAX_LIMIT)
      throw new BadRequestException(new Problem('audit_limit_out_of_range', { max: MAX_LIMIT }));
    return new AuditRange(from, count);
  }
}

/** At most 15 digits, which a number holds exactly. */
function wholeNumber(text: unknown, absent: number): number | undefined {
  if (text === undefined) return absent;
  return typeof text === 'string' && /^(0|[1-9][0-9]{0,14})$/.test(text) ? Number(text) : undefined;
}
