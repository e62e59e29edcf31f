// Fills a database as if the service had run for months: sealed by the service's own code, so that it can open it all.
import 'reflect-metadata';
import { hash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import mysql from 'mysql2/promise';
import { v7 as uuidv7 } from 'uuid';
import { PushSeal } from '../dist/pushes/push/push-seal.js';
import { newKey } from '../dist/sealing/secretbox.js';
import { Keyring } from '../dist/sealing/keyring.js';
import { readMasterKeyFile } from '../dist/sealing/master-key-file.js';
import { Passphrases } from '../dist/sealing/passphrases.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const ROWS_AT_ONCE = 250;
const OTHER_OWNERS = 1000;
const FLOODED_PUSHES = 100;
const MAX_OF_A_KIND = 2000; // of each audited kind that is bounded
const SAMPLE = 27_000;

/** What a push is among twenty: a tenth each is overdue and to be purged, a twentieth is of the one big owner. */
const CLASSES = [
  ...['overdue', 'overdue', 'stale', 'stale', 'big owner'],
  ...Array(8).fill('active'),
  ...Array(7).fill('expired'),
];

/**
 * @param email the account that becomes the owner of a twentieth of all
 * @returns tokens of some that anybody may retrieve once, and of the one with the longest log that can be
 */
export async function seed({ folder, env }, { pushes, entries, email }) {
  const rows = await openDatabase(folder, env);
  const seal = new PushSeal(
    new Keyring(await readMasterKeyFile(join(folder, 'master.key'))),
    new Passphrases(),
  );
  const bigOwner = await rows.idOf(email);
  const owners = Array.from({ length: OTHER_OWNERS }, () => uuidv7());
  const sampleEvery = Math.max(1, Math.floor((pushes * 0.2) / SAMPLE));
  const perPush = Math.round(entries / pushes);
  const now = Date.now();
  const sample = [];
  let longest;
  let flooded = 0;
  let anonymous = 0;

  await rows.begin();
  await rows.insert(
    'users',
    owners.map((id) => ({ id, email: `${id}@example.org`, created_at: moment(now) })),
  );
  for (let from = 0; from < pushes; from += ROWS_AT_ONCE) {
    const made = [];
    const logs = [];
    for (let i = from; i < Math.min(from + ROWS_AT_ONCE, pushes); i++) {
      const which = CLASSES[i % CLASSES.length];
      const createdAt = now - Math.round((120 * DAY_MS * (pushes - i)) / pushes);
      const isAnonymous = which === 'active' && i % 2 === 0;
      const userId = which === 'big owner' ? bigOwner : isAnonymous ? null : owners[i % OTHER_OWNERS];
      const { token, push } = await makePush(seal, { which, i, createdAt, now, userId });
      made.push(push);
      let log = logOf(push, perPush, createdAt);
      if (isAnonymous && anonymous++ % sampleEvery === 0) sample.push(token);
      if (which === 'stale' && flooded < FLOODED_PUSHES) {
        log = logOf(push, MAX_OF_A_KIND, createdAt);
        flooded++;
      } else if (which === 'big owner' && !longest) {
        log = logOf(push, 3 * MAX_OF_A_KIND + 102, createdAt); // and 100 views, its making and its end
        longest = token;
      }
      logs.push(...log);
    }
    logs.sort((a, b) => (a.id < b.id ? -1 : 1));
    await rows.insert('pushes', made);
    for (let at = 0; at < logs.length; at += ROWS_AT_ONCE) {
      await rows.insert('audit_entries', logs.slice(at, at + ROWS_AT_ONCE));
    }
  }
  await rows.end();
  return { sample: shuffled(sample), longest };
}

async function makePush(pushSeal, { which, i, createdAt, now, userId }) {
  const id = uuidv7({ msecs: createdAt });
  const token = randomBytes(32).toString('base64url');
  const isExpired = which === 'expired' || (which === 'big owner' && i % 40 < 20);
  const terms = { payload: 'x'.repeat(100), ...(userId && { name: `number ${i}` }) };
  const tokenDigest = hash('sha256', token);
  const owners = userId ? { urlToken: token, name: terms.name } : undefined;
  const sealed = await pushSeal.seal({ id, tokenDigest, userId }, terms, newKey(), owners);
  const secret = isExpired || which === 'stale' ? { dataKey: null, payload: null } : {};
  const expiredOn = which === 'stale' ? now - 31 * DAY_MS - i : isExpired ? now - (i % (20 * DAY_MS)) : null;
  const { masterKeyId, ownerKey, urlToken, name, note, dataKey, payload } = { ...sealed, ...secret };
  const push = {
    id,
    token_digest: tokenDigest,
    kind: 'text',
    user_id: userId,
    master_key_id: masterKeyId,
    owner_key: ownerKey,
    url_token: urlToken,
    name,
    note,
    data_key: dataKey,
    payload,
    passphrase_salt: null,
    expire_after_days: 90,
    expire_after_views: 1,
    deletable_by_viewer: 0,
    retrieval_step: 0,
    views_counted: isExpired ? 1 : 0,
    created_at: moment(createdAt),
    updated_at: moment(expiredOn ?? createdAt),
    expires_at: moment(which === 'overdue' ? now - 60_000 - (i % DAY_MS) : now + DAY_MS + i),
    expired_on: expiredOn && moment(expiredOn),
    ended: expiredOn ? 1 : 0,
    deleted: 0,
    failures_audited: 0,
    owner_views_audited: 0,
    passphrase_attempts: 0,
    files_count: 0,
  };
  return { token, push };
}

function logOf({ id: pushId }, count, createdAt) {
  return Array.from({ length: count }, (_, i) => ({
    id: uuidv7({ msecs: createdAt + i }),
    push_id: pushId,
    kind: i === 0 ? 'creation' : 'failed_view',
    ip: '192.0.2.1',
    user_agent:
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36',
    referrer: '',
    link_id: null,
    created_at: moment(createdAt + i),
  }));
}

/** As both kinds of engines write it. */
function moment(milliseconds) {
  return new Date(milliseconds).toISOString().replace('T', ' ').replace('Z', '');
}

function shuffled(values) {
  const keyed = values.map((value) => ({ value, key: randomBytes(4).readUInt32LE() }));
  return keyed.sort((a, b) => a.key - b.key).map(({ value }) => value);
}

async function openDatabase(folder, { DATABASE_URL }) {
  return DATABASE_URL ? onServer(DATABASE_URL) : onSqlite(join(folder, 'sealpush.sqlite3'));
}

/** Without any care for power losses; the service makes it safe again when it opens it. */
function onSqlite(file) {
  const db = new Database(file);
  for (const pragma of [
    'journal_mode = MEMORY',
    'synchronous = OFF',
    'foreign_keys = OFF',
    'cache_size = -1000000',
  ]) {
    db.pragma(pragma);
  }
  const statements = new Map();
  return {
    idOf: (email) => db.prepare('SELECT id FROM users WHERE email = ?').get(email).id,
    begin: () => db.exec('BEGIN'),
    insert: (table, rows) => {
      if (rows.length === 0) return;
      const columns = Object.keys(rows[0]);
      const shape = `${table} ${rows.length}`;
      if (!statements.has(shape)) {
        const places = rows.map(() => `(${columns.map(() => '?').join()})`).join();
        statements.set(shape, db.prepare(`INSERT INTO ${table} (${columns.join()}) VALUES ${places}`));
      }
      statements.get(shape).run(rows.flatMap(Object.values));
    },
    end: () => {
      db.exec('COMMIT');
      db.close();
    },
  };
}

async function onServer(url) {
  const connection = await mysql.createConnection(url);
  return {
    idOf: async (email) => (await connection.query('SELECT id FROM users WHERE email = ?', [email]))[0][0].id,
    begin: () => connection.query('SET SESSION unique_checks = 0, foreign_key_checks = 0'),
    insert: (table, rows) =>
      rows.length > 0 &&
      connection.query(`INSERT INTO ${table} (${Object.keys(rows[0]).join()}) VALUES ?`, [
        rows.map((row) => Object.values(row)),
      ]),
    end: () => connection.end(),
  };
}
