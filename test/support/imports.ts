import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { CHILD_ENV } from './child-env.js';
import { eventually } from './eventually.js';
import type { Instance } from './instance.js';
import { connectBeside, queryBeside } from './other-connection.js';
import type { PasswordPusher } from './passwordpusher.js';

/** Kills an import once it has written so many pushes, or has ended. */
export async function killImport(source: PasswordPusher, instance: Instance, pushes: number): Promise<void> {
  const child = spawn(process.execPath, ['dist/cli.js', ...source.args], {
    env: { ...CHILD_ENV, ...instance.env },
    stdio: 'ignore',
  });
  const exit = once(child, 'exit');
  await Promise.race([untilPushes(instance, pushes), exit]);
  child.kill('SIGKILL');
  await exit;
}

/** The number of pushes is polled from outside, beside the process that writes them. */
export async function untilPushes(instance: Instance, count: number): Promise<void> {
  const connection = await connectBeside(instance);
  try {
    await eventually(async () => {
      const [{ pushes }] = await connection.query('SELECT COUNT(*) AS pushes FROM pushes');
      return Number(pushes) >= count;
    });
  } finally {
    await connection.close();
  }
}

/** Of a process that was killed: it ends by itself after 30 seconds. */
export async function releaseLease(instance: Instance): Promise<void> {
  await queryBeside(instance, 'UPDATE leases SET ends_at = 0');
}

/** Each push has its files, and the log entry of its creation. */
export async function assertWholePushes(instance: Instance): Promise<void> {
  const rows = await queryBeside(
    instance,
    `SELECT p.id FROM pushes p WHERE
       (SELECT COUNT(*) FROM files f WHERE f.push_id = p.id) <> p.files_count OR
       NOT EXISTS (SELECT 1 FROM audit_entries e WHERE e.push_id = p.id AND e.kind = 'creation') OR
       NOT EXISTS (SELECT 1 FROM imported_pushes i WHERE i.push_id = p.id)`,
  );
  expect(rows).toEqual([]);
}

const TABLES = [
  ...['users', 'api_tokens', 'authenticators', 'recovery_codes', 'recovery_keys', 'imported_accounts'],
  ...['pushes', 'files', 'audit_entries', 'imported_pushes'],
];

export async function allRows(instance: Instance): Promise<Record<string, object[]>> {
  const connection = await connectBeside(instance);
  const rows: Record<string, object[]> = {};
  for (const table of TABLES) rows[table] = await connection.query(`SELECT * FROM ${table} ORDER BY 1`);
  await connection.close();
  return rows;
}

export async function countsOf(instance: Instance): Promise<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(await allRows(instance)).map(([table, rows]) => [table, rows.length]),
  );
}
