import { stat } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import type { DataSource, FindOptionsWhere } from 'typeorm';
import { IsNull, LessThanOrEqual } from 'typeorm';
import { DiskReserve } from '../files/disk-reserve.js';
import { OutboxMessage } from '../outbox/outbox-message.entity.js';
import type { Settings } from '../settings/settings.js';
import { SECOND_MS } from '../settings/units.js';

/** A larger count is reported as this one, so that no scrape reads a whole table. */
const MAX_COUNTED = 10_000;
/** The index has those that wait in the order in which they were added. */
const OLDEST = 100;
const MAX_AGE_MS = 15 * SECOND_MS;
const MAX_WAIT_MS = 2 * SECOND_MS;

/** What all processes of an instance share, and the disk of this one. A value is NaN while it cannot be read. */
export interface InstanceState {
  waiting: number;
  due: number;
  failed: number;
  oldestSeconds: number;
  disk: { free: number; reserve: number; total: number };
  /** The SQLite database; absent on a server. */
  database?: { main: number; wal: number };
}

const UNREADABLE = {
  ...{ waiting: NaN, due: NaN, failed: NaN, oldestSeconds: NaN },
  disk: { free: NaN, reserve: NaN, total: NaN },
};

/** Reads the state at most every 15 seconds, however often it is asked for; a database that hangs delays nothing. */
export class InstanceStateReader {
  private readAt = -Infinity;
  private state: Promise<InstanceState> = Promise.resolve(UNREADABLE);

  constructor(
    private readonly dataSource: DataSource,
    private readonly settings: Pick<Settings, 'DATA_DIR' | 'DISK_RESERVE'>,
  ) {}

  current(now = new Date()): Promise<InstanceState> {
    if (now.getTime() - this.readAt >= MAX_AGE_MS) {
      this.readAt = now.getTime();
      this.state = this.read(now);
    }
    return this.state;
  }

  private async read(now: Date): Promise<InstanceState> {
    const [outbox, disk, database] = await Promise.all([
      orWhenSlow(this.readOutbox(now), UNREADABLE),
      orWhenSlow(
        new DiskReserve(this.settings.DISK_RESERVE).measure(this.settings.DATA_DIR),
        UNREADABLE.disk,
      ),
      this.readDatabase(),
    ]);
    return { ...outbox, disk, database };
  }

  private async readOutbox(now: Date) {
    const waiting = { outcome: IsNull(), endedAt: IsNull() };
    const oldest = await this.dataSource.manager.find(OutboxMessage, {
      select: { id: true, createdAt: true },
      where: waiting,
      take: OLDEST,
    });
    const since = Math.min(now.getTime(), ...oldest.map(({ createdAt }) => createdAt.getTime()));
    return {
      waiting: await this.count(waiting),
      due: await this.count({ nextAttemptAt: LessThanOrEqual(now) }),
      failed: await this.count({ outcome: 'failed' }),
      oldestSeconds: (now.getTime() - since) / SECOND_MS,
    };
  }

  /** Counts up to `MAX_COUNTED` rows, by an index. */
  private async count(where: FindOptionsWhere<OutboxMessage>): Promise<number> {
    const row = await this.dataSource.manager
      .createQueryBuilder()
      .select('COUNT(*)', 'count')
      .from(
        (rows) => rows.select('message.id').from(OutboxMessage, 'message').where(where).limit(MAX_COUNTED),
        'counted',
      )
      .getRawOne<{ count: number | string }>();
    return Number(row?.count);
  }

  private async readDatabase(): Promise<InstanceState['database']> {
    const { options } = this.dataSource;
    if (options.type !== 'better-sqlite3') return undefined;
    const sizeOf = async (path: string) => (await stat(path).catch(() => undefined))?.size ?? 0;
    return { main: await sizeOf(options.database), wal: await sizeOf(`${options.database}-wal`) };
  }
}

async function orWhenSlow<T>(value: Promise<T>, otherwise: T): Promise<T> {
  const readable = value.catch(() => otherwise);
  const timeout = new AbortController();
  const slow = setTimeout(MAX_WAIT_MS, otherwise, { signal: timeout.signal }).catch(() => otherwise);
  const first = await Promise.race([readable, slow]);
  timeout.abort();
  return first;
}
