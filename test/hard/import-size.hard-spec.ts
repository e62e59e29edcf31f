import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import { MIB } from '../../src/platform/settings/units.js';
import { makeCgroup } from '../support/cgroup.js';
import { CHILD_ENV } from '../support/child-env.js';
import { engine } from '../support/engine.js';
import { forAllTests } from '../support/for-tests.js';
import { makeInstanceOnDisk } from '../support/instance.js';
import { lockboxed } from '../support/lockbox.js';
import type { PasswordPusher } from '../support/passwordpusher.js';
import { makePasswordPusher } from '../support/passwordpusher.js';
import { amount } from './support/amount.js';
import { logFigures } from './support/log-figures.js';

const BYTES = 300_000_000;
const PUSHES = amount({ full: 100_000, short: 5_000 });
const FILES = amount({ full: 20, short: 3 });
const FILE_BYTES = 100 * MIB;

const cgroup = makeCgroup(BYTES);
const limited = `with ${BYTES / 1e6} MB of memory`;
if (!cgroup)
  process.stderr.write(`NOT TESTED: an import ${limited}, because no memory cgroup can be made here.\n`);

describe('An import of a large PasswordPusher', () => {
  const source = forAllTests(makePasswordPusher);
  const instance = forAllTests(makeInstanceOnDisk);

  beforeAll(() => {
    addPushes(source);
  });
  afterAll(() => {
    if (cgroup) rmdirSync(cgroup.path);
  });

  it(`needs no more than ${BYTES / 1e6} MB, however many pushes and bytes there are`, async () => {
    const join = cgroup ? ['sh', '-c', 'echo $$ > "$0" && exec "$@"', cgroup.processes] : [];
    const [program = '', ...args] = [...join, process.execPath, 'dist/cli.js', ...source.args];
    const start = performance.now();
    const { stdout } = await promisify(execFile)(program, args, {
      env: { ...CHILD_ENV, ...instance.env },
    }).catch((error: unknown) => error as { stdout: string }); // some pushes are broken
    const seconds = Math.round((performance.now() - start) / 1000);

    logFigures({
      [`import on ${engine.name}`]: `${PUSHES} pushes, ${FILES * 100} MiB of files: ${seconds} s`,
    });
    expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
      pushes: { active: 311 + PUSHES + FILES, broken: 1 },
      files: 4 + FILES,
      bytes: 370_005 + FILES * FILE_BYTES,
    });
  });
});

/** Each with three log entries; one in a hundred has a passphrase. All files have the same bytes, on the disk once. */
function addPushes({ url, storage, expected: { key } }: PasswordPusher): void {
  const file = new Database(url.slice('sqlite:'.length));
  const sealed = (column: string, text: string) => lockboxed(key, 'pushes', column, text);
  const addPush = file.prepare(
    `INSERT INTO pushes (kind, payload_ciphertext, passphrase_ciphertext, note_ciphertext, expire_after_days,
       expire_after_views, url_token, user_id, created_at, updated_at)
     VALUES (?, ?, ?, ?, 90, 100, ?, 1, datetime('now', '-1 day'), datetime('now', '-1 day'))`,
  );
  const addEntry = file.prepare(
    `INSERT INTO audit_logs (kind, push_id, ip, user_agent, created_at, updated_at)
     VALUES (?, ?, '192.0.2.1', 'Mozilla/5.0', datetime('now', '-1 day'), datetime('now', '-1 day'))`,
  );
  const add = (kind: number, passphrase: string) => {
    const { lastInsertRowid } = addPush.run(
      kind,
      sealed('payload_ciphertext', `secret ${'x'.repeat(200)}`),
      sealed('passphrase_ciphertext', passphrase),
      sealed('note_ciphertext', ''),
      randomBytes(12).toString('base64url').toLowerCase(),
    );
    for (const entry of [0, 1, 2]) addEntry.run(entry, lastInsertRowid);
    return lastInsertRowid;
  };
  const content = randomBytes(FILE_BYTES);
  const checksum = createHash('md5').update(content).digest('base64');
  let first: string | undefined;
  file.transaction(() => {
    for (let i = 0; i < PUSHES; i++) add(0, i % 100 === 0 ? 'horse' : '');
    for (let i = 0; i < FILES; i++) {
      const blobKey = `file${i}`.padEnd(28, '0');
      const folder = join(storage, blobKey.slice(0, 2), blobKey.slice(2, 4));
      mkdirSync(folder, { recursive: true });
      if (first === undefined) writeFileSync((first = join(folder, blobKey)), content);
      else linkSync(first, join(folder, blobKey));
      const blob = file
        .prepare(
          `INSERT INTO active_storage_blobs (key, filename, byte_size, checksum, service_name, created_at)
           VALUES (?, 'big', ?, ?, 'local', 'now')`,
        )
        .run(blobKey, FILE_BYTES, checksum);
      file
        .prepare(
          `INSERT INTO active_storage_attachments (blob_id, record_id, record_type, name, created_at)
           VALUES (?, ?, 'Push', 'files', 'now')`,
        )
        .run(blob.lastInsertRowid, add(1, ''));
    }
  })();
  file.close();
}
