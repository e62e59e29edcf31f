import { once } from 'node:events';
import { Readable } from 'node:stream';
import { Injectable, BadRequestException } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, In } from 'typeorm';
import { AuditEntry } from '../../audit/audit-entry.entity.js';
import { AccountQueues } from '../../platform/limits/account-queues.js';
import type { LogFormat } from '../../platform/http/log-lines.js';
import { logHead, logLines } from '../../platform/http/log-lines.js';
import { idBefore } from '../../platform/random/random.js';
import { HOUR_MS } from '../../platform/settings/units.js';
import { Push } from '../push/push.entity.js';
import { AuditChainService } from './audit-chain.service.js';
import type { AuditedPush } from './audit-line.dto.js';
import { AUDIT_COLUMNS, AUDITED_PUSH, AuditLineDto } from './audit-line.dto.js';
import { inBatches } from '../../platform/database/in-batches.js';
import { Problem } from '../../platform/errors/problem.js';

/** Entries that are read and written together. */
const BATCH = 500;

/** How long a request chains entries that are newer than the last scheduled run. */
const CHAINING_MS = 1000;

/** When an entry was created; each end is open when it is absent. */
export interface Period {
  from?: Date;
  /** Exclusive. */
  until?: Date;
}

/** Some lines, each with its line break. */
export interface Lines {
  text: string;
  count: number;
}

/** Chained audit entries as lines of JSON, read a page at a time: nothing is open in the database in between. */
@Injectable()
export class AuditLogService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly chain: AuditChainService,
    private readonly queues: AccountQueues,
  ) {}

  /** The entries of an account's pushes in the order of their numbers; the first page has been read when this resolves. */
  async ofOwner(
    ownerId: string,
    range: AuditRange,
    signal: AbortSignal,
    format: LogFormat = 'ndjson',
  ): Promise<Readable> {
    await this.queues.run(ownerId, signal, () =>
      this.chain.chainNewEntries(AbortSignal.any([signal, AbortSignal.timeout(CHAINING_MS)])),
    );
    const content = Readable.from(this.textOfOwner(ownerId, range, signal, format), { objectMode: false });
    await once(content, 'readable');
    return content;
  }

  /** All entries of the instance, with the ids of accounts, in the order in which they were written. */
  async *ofAll(period: Period): AsyncGenerator<Lines> {
    await this.chain.chainNewEntries();
    const next = (last?: AuditEntry) => this.batchOfAll(last?.id ?? firstIdOf(period), period);
    for await (const entries of inBatches(BATCH, next)) {
      const rows = await this.rowsOf(entries, (push) => ({ account: push.userId }));
      yield { text: logLines('ndjson', rows, []), count: rows.length };
    }
  }

  /** Takes a turn for each page, so that a client that reads slowly does not delay other requests of its account. */
  private async *textOfOwner(
    ownerId: string,
    { after, limit }: AuditRange,
    signal: AbortSignal,
    format: LogFormat,
  ): AsyncGenerator<string> {
    let head = logHead(format, AUDIT_COLUMNS); // sent when the first page has been read
    for (let [last, left] = [after, limit]; left > 0;) {
      const page = await this.queues.proceed(ownerId, signal, () =>
        this.pageOfOwner(ownerId, last, Math.min(left, BATCH)),
      );
      const text = head + logLines(format, page.rows, AUDIT_COLUMNS);
      if (text !== '') yield text;
      if (page.count === 0) return;
      head = '';
      last = page.last;
      left -= page.count;
    }
  }

  private async pageOfOwner(ownerId: string, after: number, take: number) {
    const entries = await this.batchOfOwner(ownerId, after, take);
    return { rows: await this.rowsOf(entries), count: entries.length, last: entries.at(-1)?.number ?? after };
  }

  private batchOfOwner(ownerId: string, after: number, take: number): Promise<AuditEntry[]> {
    return this.dataSource.manager
      .createQueryBuilder(AuditEntry, 'entry')
      .useIndex('audit_entries_of_owner')
      .where('entry.ownerId = :ownerId AND entry.number > :after', { ownerId, after })
      .orderBy('entry.number')
      .limit(take)
      .getMany();
  }

  private batchOfAll(after: string, { from, until }: Period): Promise<AuditEntry[]> {
    const page = this.dataSource.manager
      .createQueryBuilder(AuditEntry, 'entry')
      .useIndex('PRIMARY') // servers would sort all entries that have an owner
      .where('entry.id > :after AND entry.ownerId IS NOT NULL', { after })
      .orderBy('entry.id')
      .limit(BATCH);
    if (from) page.andWhere('entry.createdAt >= :from', { from });
    if (until) page.andWhere('entry.createdAt < :until', { until });
    return page.getMany();
  }

  private async rowsOf(
    entries: AuditEntry[],
    more: (push: AuditedPush) => object = () => ({}),
  ): Promise<object[]> {
    const found = await this.dataSource.manager.find(Push, {
      select: AUDITED_PUSH,
      where: { id: In([...new Set(entries.map(({ pushId }) => pushId))]) },
    });
    const pushes = new Map(found.map((push) => [push.id, push]));
    return entries.flatMap((entry) => {
      const push = pushes.get(entry.pushId); // it may just have been removed
      return push ? [{ ...AuditLineDto.of(entry, push), ...more(push) }] : [];
    });
  }
}

/** An hour less, in case the clock was set back. */
function firstIdOf({ from }: Period): string {
  return from ? idBefore(new Date(from.getTime() - HOUR_MS)) : '';
}

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
