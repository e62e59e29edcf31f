import { basename } from 'node:path';
import { OrphanSweep } from '../../../src/files/orphan-sweep.js';
import type { OtherConnection } from '../../support/other-connection.js';
import { connectBeside } from '../../support/other-connection.js';
import type { Instance } from '../../support/instance.js';
import type { AppWithStore } from '../../support/start-with-store.js';
import type { TestStore } from '../../support/stores.js';
import { startDisk } from '../../support/stores.js';
import { HOUR_MS } from '../../../src/platform/settings/units.js';

/** A row that shows how far its changes have progressed. */
interface PushRow {
  id: string;
  views_counted: number;
  expire_after_views: number;
  deleted: number | boolean; // PostgreSQL has a type for it
  expired_on: unknown;
  files_count: number;
  failures_audited: number;
  is_shredded: number | boolean;
}

/** Removes all files without a row, as `files:sweep --yes` does, as if it were two hours later. */
export async function sweep(running: AppWithStore): Promise<void> {
  await running.app.get(OrphanSweep).removeAll(new Date(Date.now() + 2 * HOUR_MS));
}

/** The inconsistencies in everything stored in an instance. */
export async function halfDoneAt(instance: Instance): Promise<string[]> {
  const other = await connectBeside(instance);
  const faults = await incompleteData(other, await startDisk(instance));
  await other.close();
  return faults;
}

/** The rows that are inconsistent or whose files are missing. */
export async function incompleteData(other: OtherConnection, store: TestStore): Promise<string[]> {
  const pushes: PushRow[] = await other.query(
    'SELECT id, views_counted, expire_after_views, deleted, expired_on, files_count, failures_audited, payload IS NULL AND data_key IS NULL AS is_shredded FROM pushes',
  );
  const entries = await other.query('SELECT push_id, kind FROM audit_entries');
  const files = await other.query('SELECT push_id, storage_key, ended_on FROM files');

  const faults: string[] = [];
  for (const push of pushes) {
    const count = (...kinds: string[]) =>
      entries.filter(({ push_id, kind }) => push_id === push.id && kinds.includes(kind as string)).length;
    const must = (what: string, one: number, other: number | boolean) => {
      if (one !== Number(other)) faults.push(`${what}: ${one} and ${other}`);
    };
    const isUsedUp = push.views_counted >= push.expire_after_views;
    must('audited creations', count('creation'), 1);
    must('views audited and counted', count('view'), push.views_counted);
    must('deletes audited and done', count('expire'), push.deleted);
    must('failures', count('failed_view', 'failed_passphrase'), push.failures_audited);
    must('ends', Number(push.expired_on !== null), Number(isUsedUp || push.deleted));
    must('ended and shredded', Number(push.expired_on !== null), push.is_shredded);
    const own = files.filter(({ push_id }) => push_id === push.id);
    if (!push.deleted) must('files', own.length, push.files_count);
    const isOver = push.expired_on !== null;
    must('files that ended', own.filter(({ ended_on }) => (ended_on !== null) !== isOver).length, 0);
  }
  const stored = await storedKeys(store);
  const alive = files.filter(({ ended_on }) => ended_on === null).map(({ storage_key }) => storage_key);
  faults.push(
    ...alive.filter((key) => !stored.includes(key)).map((key) => `a row without its stored file: ${key}`),
  );
  const ownerless = files.filter(({ push_id }) => !pushes.some(({ id }) => id === push_id));
  faults.push(...ownerless.map(({ storage_key }) => `a file row without its push: ${storage_key}`));
  return faults;
}

/** Stored files without a row. Aborted uploads leave some until the next cleanup. */
export async function strayBytes(other: OtherConnection, store: TestStore): Promise<string[]> {
  const files = await other.query('SELECT storage_key FROM files');
  const known = files.map(({ storage_key }) => storage_key);
  return (await storedKeys(store)).filter((key) => !known.includes(key));
}

async function storedKeys(store: TestStore): Promise<string[]> {
  return (await store.paths()).map((path) => basename(path).slice(0, 48));
}
