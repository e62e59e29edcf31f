// Writes rows past the service, many at a time.
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { v7 as uuidv7 } from 'uuid';
import { secureRandom } from '../dist/platform/random/random.js';
import { connectTo, isPostgres } from './server.mjs';

const ROWS_AT_ONCE = 250;

export async function openDatabase({ folder, env: { DATABASE_URL } }) {
  const { insert, ...database } = DATABASE_URL
    ? await (isPostgres(DATABASE_URL) ? onPostgres : onMysql)(DATABASE_URL)
    : onSqlite(join(folder, 'sealpush.sqlite3'));
  return {
    ...database,
    insert: async (table, rows) => {
      for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
        await insert(table, rows.slice(at, at + ROWS_AT_ONCE));
    },
  };
}

/** An id as of this time: those of the service only increase. */
export function idAt(milliseconds) {
  return uuidv7({ msecs: Math.round(milliseconds), random: secureRandom(16) });
}

/** As all engines read it. */
export function moment(milliseconds) {
  return new Date(milliseconds).toISOString().replace('T', ' ').replace('Z', '');
}

/** Without any care for power losses; the service makes it safe again when it opens it. */
function onSqlite(file) {
  const db = new Database(file);
  for (const pragma of [
    'journal_mode = MEMORY',
    'synchronous = OFF',
    'foreign_keys = OFF',
    'cache_size = -4000000',
  ]) {
    db.pragma(pragma);
  }
  const statements = new Map();
  return {
    idOf: (email) => db.prepare('SELECT id FROM users WHERE email = ?').get(email).id,
    begin: () => db.exec('BEGIN'),
    insert: (table, rows) => {
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

async function onMysql(url) {
  const connection = await connectTo(url);
  return {
    idOf: async (email) => (await connection.query('SELECT id FROM users WHERE email = ?', [email]))[0].id,
    begin: () => connection.query('SET SESSION unique_checks = 0, foreign_key_checks = 0'),
    insert: (table, rows) =>
      connection.query(`INSERT INTO ${table} (${Object.keys(rows[0]).join()}) VALUES ?`, [
        rows.map((row) => Object.values(row)),
      ]),
    end: () => connection.end(),
  };
}

async function onPostgres(url) {
  const connection = await connectTo(url);
  return {
    idOf: async (email) => (await connection.query('SELECT id FROM users WHERE email = $1', [email]))[0].id,
    begin: () =>
      connection.query(
        "SET session_replication_role = replica; SET synchronous_commit = off; SET timezone = 'UTC'",
      ),
    insert: (table, rows) => {
      const columns = Object.keys(rows[0]);
      const places = rows.map(
        (_, row) => `(${columns.map((_, i) => `$${row * columns.length + i + 1}`).join()})`,
      );
      const sql = `INSERT INTO ${table} (${columns.join()}) VALUES ${places.join()}`;
      return connection.query(sql, rows.flatMap(Object.values));
    },
    end: async () => {
      await connection.query('VACUUM ANALYZE'); // as autovacuum does after so many rows
      await connection.end();
    },
  };
}
