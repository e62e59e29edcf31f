import type { DataSource } from 'typeorm';
import { User } from '../../../auth/entities/user.entity.js';
import { sumRows } from '../../../platform/database/sum-rows.js';
import { StoredFile } from '../../../files/file.entity.js';
import { Push } from '../../../pushes/push/push.entity.js';
import { OutboxMessage } from '../../../platform/outbox/outbox-message.entity.js';
import { DAY_MS } from '../../../platform/settings/units.js';

/** How much an instance has stored. They are only sums, so that they tell nothing of a single account. */
export interface Totals {
  countedAt: Date;
  accounts: { total: number; disabled: number };
  pushes: { active: number; ended: number; createdInDay: number; createdInWeek: number; views: number };
  files: { total: number; bytes: number };
  messages: { waiting: number; failed: number };
}

/** Counts what is stored at this moment; undefined once `signal` aborts. It takes seconds in a large database. */
export async function countTotals(
  dataSource: DataSource,
  now: Date,
  signal?: AbortSignal,
): Promise<Totals | undefined> {
  const times = { now, dayAgo: before(now, DAY_MS), weekAgo: before(now, 7 * DAY_MS) };
  const accounts = await sumRows(dataSource, User, ACCOUNTS, {}, signal);
  const pushes = await sumRows(dataSource, Push, PUSHES, times, signal);
  const files = await sumRows(dataSource, StoredFile, FILES, {}, signal);
  const messages = await sumRows(dataSource, OutboxMessage, MESSAGES, {}, signal);
  return accounts && pushes && files && messages && { countedAt: now, accounts, pushes, files, messages };
}

const ACCOUNTS = { total: '1', disabled: 'disabled_at IS NOT NULL' };

/** A push has ended as `Push.isExpired` has it. */
const PUSHES = {
  active: 'expired_on IS NULL AND expires_at > :now',
  ended: 'expired_on IS NOT NULL OR expires_at <= :now',
  createdInDay: 'created_at > :dayAgo',
  createdInWeek: 'created_at > :weekAgo',
  views: 'views_counted',
};

/** Those that were missing where a push was imported from are not stored. */
const FILES = { total: "storage_key <> ''", bytes: 'size' };

const MESSAGES = { waiting: 'outcome IS NULL', failed: "outcome = 'failed'" };

function before(now: Date, milliseconds: number): Date {
  return new Date(now.getTime() - milliseconds);
}
