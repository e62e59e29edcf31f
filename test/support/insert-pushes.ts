import type { RunningApp } from './start-app.js';
import { bytesInSql, dateTimeInSql, placeholders } from './server-database.js';
import { engine } from './engine.js';

interface InsertedPushes {
  /** Their ids begin with it, so that it decides their place in a list. */
  batch: string;
  /** SQL expressions; `d0.i` is the first digit of the number of the push. */
  expiresAt: string;
  userId?: string;
  ended?: boolean;
}

/** Inserts 10 ** `digits` pushes that are past their expiry time. */
export function insertOverdue(running: RunningApp, digits: number, batch = 'overdue'): Promise<void> {
  return insertPushes(running, digits, { batch, expiresAt: "CONCAT('2026-01-1', d0.i, ' 00:00:00.000')" });
}

/** Inserts 10 ** `digits` pushes, which nobody can open, in ten statements, because a server has ten seconds for each. */
export async function insertPushes(
  { dataSource }: RunningApp,
  digits: number,
  { batch, expiresAt, userId, ended = false }: InsertedPushes,
): Promise<void> {
  const places = Array.from({ length: digits }, (_, place) => `d${place}`);
  const digit = (name: string) =>
    `(${Array.from({ length: 10 }, (_, i) => `SELECT ${i} AS i`).join(' UNION ALL ')}) ${name}`;
  const name = `CONCAT('${batch}-', ${places.map((place) => `${place}.i`).join(', ')})`;
  const sealed = bytesInSql('5e'.repeat(70));
  const made = "'2026-01-01 00:00:00.000'";
  for (let first = 0; first < 10; first++)
    await dataSource.query(
      placeholders(`INSERT INTO pushes (id, token_digest, kind, user_id, master_key_id, owner_key, url_token, data_key, payload,
       expire_after_days, expire_after_views, deletable_by_viewer, retrieval_step, views_counted, created_at,
       updated_at, expires_at, expired_on, ended, deleted, failures_audited, owner_views_audited,
       passphrase_attempts, files_count)
     SELECT ${name}, ${name}, 'text', ?, (SELECT id FROM master_keys), ${sealed}, ${sealed}, ${sealed}, ${sealed},
       7, 5, false, false, 0, ${made}, ${made}, ${dateTimeInSql(expiresAt)}, ${ended ? made : 'NULL'}, ${ended}, false, 0, 0, 0, 0
     FROM ${places.map(digit).join(', ')}
     WHERE d0.i = ?
     ORDER BY 1`),
      [userId ?? null, first],
    );
  if (engine.name === 'postgres') await dataSource.query('ANALYZE pushes'); // as the server does within a minute
}
