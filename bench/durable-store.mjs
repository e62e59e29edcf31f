// What both references do for a push: token, AES-256-GCM, push and audit entry in one transaction, nothing else.
// Callbacks instead of promises, because the baseline is to be as quick as Node.js allows.
import { createCipheriv, createDecipheriv, createSecretKey, hash, randomBytes } from 'node:crypto';
import Database from 'better-sqlite3';
import mysql from 'mysql2';
import pg from 'pg';

/** Rows are numbered in the order they come, which costs an index less to keep than ids drawn by chance. */
const tables = (serial, bytes = 'mediumblob') => [
  `CREATE TABLE pushes (id ${serial}, digest char(64) NOT NULL UNIQUE, data_key ${bytes}, payload ${bytes},
     max_views integer NOT NULL, views integer NOT NULL)`,
  `CREATE TABLE audit (id ${serial}, push_id bigint NOT NULL, kind varchar(20) NOT NULL)`,
];
const INSERT_PUSH = 'INSERT INTO pushes (digest, data_key, payload, max_views, views) VALUES (?, ?, ?, ?, 0)';
const INSERT_AUDIT = 'INSERT INTO audit (push_id, kind) VALUES (?, ?)';
const FIND = 'SELECT id, data_key, payload FROM pushes WHERE digest = ?';
const CLAIM = `UPDATE pushes SET payload = CASE WHEN views + 1 >= max_views THEN NULL ELSE payload END,
  data_key = CASE WHEN views + 1 >= max_views THEN NULL ELSE data_key END, views = views + 1
  WHERE id = ? AND views < max_views`;
const CREATE = `${INSERT_PUSH}; INSERT INTO audit (push_id, kind) VALUES (LAST_INSERT_ID(), 'creation')`;
const VIEW = `${FIND} FOR UPDATE; ${CLAIM.replace('id = ?', 'digest = ?')};
  INSERT INTO audit (push_id, kind) SELECT id, 'view' FROM pushes WHERE digest = ? AND ROW_COUNT() = 1`;
const CREATE_ON_POSTGRES = {
  name: 'create',
  text: `WITH push AS (
      INSERT INTO pushes (digest, data_key, payload, max_views, views) VALUES ($1, $2, $3, $4, 0) RETURNING id
    )
    INSERT INTO audit (push_id, kind) SELECT id, 'creation' FROM push`,
};
const VIEW_ON_POSTGRES = {
  name: 'view',
  text: `WITH found AS (
      SELECT id, data_key, payload FROM pushes WHERE digest = $1 AND views < max_views FOR UPDATE
    ), claimed AS (
      UPDATE pushes SET payload = CASE WHEN views + 1 >= max_views THEN NULL ELSE pushes.payload END,
        data_key = CASE WHEN views + 1 >= max_views THEN NULL ELSE pushes.data_key END, views = views + 1
      FROM found WHERE pushes.id = found.id RETURNING pushes.id
    ), audited AS (
      INSERT INTO audit (push_id, kind) SELECT id, 'view' FROM claimed
    )
    SELECT data_key, payload FROM found`,
};
const CONNECTIONS = 10;
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const masterKey = createSecretKey(randomBytes(KEY_BYTES));

function seal(key, nonce, text) {
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  return Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]);
}

function open(key, sealed) {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
}

/**
 * @param {{ FILE?: string, DATABASE_URL?: string }} env
 * @param {(error: unknown, store: ReturnType<typeof storeOn>) => void} done
 */
export function openStore({ FILE, DATABASE_URL }, done) {
  const openServer = DATABASE_URL?.startsWith('postgres') ? openPostgres : openMysql;
  if (DATABASE_URL) openServer(DATABASE_URL, (error, rows) => done(error, rows && storeOn(rows)));
  else done(null, storeOn(openSqlite(FILE)));
}

function storeOn(rows) {
  return {
    /**
     * @param {string} payload
     * @param {number} views
     * @param {(error: unknown, token?: string) => void} done called once both rows are kept for good
     */
    create(payload, views, done) {
      const random = randomBytes(2 * KEY_BYTES + 2 * NONCE_BYTES);
      const dataKey = random.subarray(0, KEY_BYTES);
      const token = random.base64urlSlice(KEY_BYTES, 2 * KEY_BYTES);
      const nonce = (i) =>
        random.subarray(2 * KEY_BYTES + i * NONCE_BYTES, 2 * KEY_BYTES + (i + 1) * NONCE_BYTES);
      const push = [
        hash('sha256', token),
        seal(masterKey, nonce(0), dataKey),
        seal(dataKey, nonce(1), payload),
        views,
      ];
      rows.insert(push, (error) => (error ? done(error) : done(null, token)));
    },
    /**
     * @param {string} token
     * @param {(error: unknown, payload?: string | null) => void} done null where no view is left, undefined where
     *   there is no push
     */
    view(token, done) {
      rows.claim(hash('sha256', token), (error, row) => {
        if (error || !row) done(error);
        else done(null, row.payload && open(open(masterKey, row.data_key), row.payload).utf8Slice());
      });
    },
  };
}

/** All that arrives during one turn of the event loop is committed, and so flushed to the disk, together. */
function openSqlite(file) {
  const db = new Database(file);
  for (const pragma of ['journal_mode = WAL', 'synchronous = FULL', 'secure_delete = ON']) db.pragma(pragma);
  for (const table of tables('integer PRIMARY KEY')) db.exec(table);
  const [insertPush, insertAudit, find, claim, begin, commit, rollback] = [
    ...[INSERT_PUSH, INSERT_AUDIT, FIND, CLAIM],
    ...['BEGIN IMMEDIATE', 'COMMIT', 'ROLLBACK'],
  ].map((sql) => db.prepare(sql));

  let waiting = [];
  const work = ({ digest, push }) => {
    if (push) return insertAudit.run(insertPush.run(push).lastInsertRowid, 'creation');
    const row = find.get(digest);
    if (!row?.payload) return row;
    claim.run(row.id); // nobody came between: this transaction has the database for itself
    insertAudit.run(row.id, 'view');
    return row;
  };
  const flush = () => {
    const group = waiting;
    waiting = [];
    let results;
    try {
      begin.run();
      results = group.map(work);
      commit.run();
    } catch (error) {
      if (db.inTransaction) rollback.run();
      for (const { done } of group) done(error);
      return;
    }
    for (let i = 0; i < group.length; i++) group[i].done(null, results[i]);
  };
  const write = (request) => {
    if (waiting.push(request) === 1) setImmediate(flush);
  };
  return {
    insert: (push, done) => write({ digest: undefined, push, done }),
    claim: (digest, done) => write({ digest, push: undefined, done }),
  };
}

/** One transaction for each request, in one round trip: the server commits in groups by itself. */
function openMysql(uri, done) {
  const pool = mysql.createPool({ uri, connectionLimit: CONNECTIONS, multipleStatements: true });
  const inTransaction = (statements, values, finished) =>
    pool.getConnection((refused, connection) => {
      if (refused) return finished(refused);
      connection.query(`START TRANSACTION; ${statements}; COMMIT`, values, (error, results) => {
        if (error)
          connection.destroy(); // and with it what it has not committed
        else connection.release();
        finished(error, results);
      });
    });
  const rows = {
    insert: (push, finished) => inTransaction(CREATE, push, finished),
    claim: (digest, finished) =>
      inTransaction(VIEW, [digest, digest, digest], (error, results) => finished(error, results?.[1][0])),
  };
  const [pushes, audit] = tables('bigint AUTO_INCREMENT PRIMARY KEY');
  pool.query(`${pushes}; ${audit}`, (error) => done(error, error ? undefined : rows));
}

/** One statement for each request, which is a transaction by itself. */
function openPostgres(connectionString, done) {
  const pool = new pg.Pool({ connectionString, max: CONNECTIONS });
  const rows = {
    insert: (values, finished) => pool.query({ ...CREATE_ON_POSTGRES, values }, finished),
    claim: (digest, finished) =>
      pool.query({ ...VIEW_ON_POSTGRES, values: [digest] }, (error, result) =>
        finished(error, result?.rows[0]),
      ),
  };
  const [pushes, audit] = tables('bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY', 'bytea');
  pool.query(`${pushes}; ${audit}`, (error) => done(error, error ? undefined : rows));
}
