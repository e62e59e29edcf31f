import { stat } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import type { DataSource, FindOptionsWhere } from 'typeorm';
import { IsNull, LessThanOrEqual } from 'typeorm';
import { DiskReserve } from '../../files/disk-reserve.js';
import type { OutboxChannels } from '../../platform/outbox/outbox-channels.js';
import { OutboxMessage } from '../../platform/outbox/outbox-message.entity.js';
import type { Settings } from '../../platform/settings/settings.js';
import { SECOND_MS } from '../../platform/settings/units.js';
import { engineOf } from '../../platform/database/engines/engines.js';

/** A larger count is reported as this one, so that no scrape reads a whole table. */
const MAX_COUNTED = 10_000;
/** The index has those that wait in the order in which they were added. */
const OLDEST = 100;
const MAX_AGE_MS = 15 * SECOND_MS;
const MAX_WAIT_MS = 2 * SECOND_MS;

/** What all processes of an instance share, and the disk of this one. A part is undefined while it cannot be read. */
export interface InstanceState {
  outbox?: { due: number; channels: Record<string, ChannelState> };
  disk?: { free: number; reserve: number; total: number };
  /** The files of SQLite; no part of the state of a server. */
  database?: { main: number; wal: number };
}

export interface ChannelState {
  waiting: number;
  failed: number;
  oldestSeconds: number;
}

/** Reads the state at most every 15 seconds, however often it is asked for; a database that hangs delays nothing. */
export class InstanceStateReader {
  private readAt = -Infinity;
  private state: Promise<InstanceState> = Promise.resolve({});

  constructor(
    private readonly dataSource: DataSource,
    private readonly channels: OutboxChannels,
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
    const { options } = this.dataSource;
    const file = engineOf({ options }).fileOf(options);
    const [outbox, disk, database] = await Promise.all([
      unlessSlow(this.readOutbox(now)),
      unlessSlow(new DiskReserve(this.settings.DISK_RESERVE).measure(this.settings.DATA_DIR)),
      file === undefined ? undefined : unlessSlow(readFiles(file)),
    ]);
    return { outbox, disk, ...(file !== undefined && { database }) };
  }

  private async readOutbox(now: Date) {
    const channels: Record<string, ChannelState> = {};
    for (const channel of this.channels.names) channels[channel] = await this.readChannel(channel, now);
    return { due: await this.count({ nextAttemptAt: LessThanOrEqual(now) }), channels };
  }

  private async readChannel(channel: string, now: Date): Promise<ChannelState> {
    const waiting = { channel, outcome: IsNull(), endedAt: IsNull() };
    const oldest = await this.dataSource.manager.find(OutboxMessage, {
      select: { id: true, createdAt: true },
      where: waiting,
      take: OLDEST,
    });
    const since = Math.min(now.getTime(), ...oldest.map(({ createdAt }) => createdAt.getTime()));
    return {
      waiting: await this.count(waiting),
      failed: await this.count({ channel, outcome: 'failed' }),
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
}

async function readFiles(database: string): Promise<InstanceState['database']> {
  return { main: await sizeOf(database), wal: await sizeOf(`${database}-wal`) };
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}

/** Undefined when it fails, or takes too long. */
async function unlessSlow<T>(value: Promise<T>): Promise<T | undefined> {
  const readable = value.catch(() => undefined);
  const timeout = new AbortController();
  const slow = setTimeout(MAX_WAIT_MS, undefined, { signal: timeout.signal }).catch(() => undefined);
  const first = await Promise.race([readable, slow]);
  timeout.abort();
  return first;
}
