// What the work costs without a framework: the same durable writes, the same sealing, nothing else.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import Database from 'better-sqlite3';
import mysql from 'mysql2/promise';

const TABLES = [
  `CREATE TABLE pushes (id varchar(36) NOT NULL PRIMARY KEY, digest varchar(64) NOT NULL UNIQUE, data_key blob,
     payload mediumblob, most integer NOT NULL, views integer NOT NULL)`,
  `CREATE TABLE audit (id varchar(36) NOT NULL PRIMARY KEY, push_id varchar(36) NOT NULL, kind varchar(20) NOT NULL)`,
];
const masterKey = randomBytes(32);

const seal = (key, text) => {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  return Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]);
};
const open = (key, sealed) => {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12)).setAuthTag(
    sealed.subarray(-16),
  );
  return Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()]);
};
const digestOf = (token) => createHash('sha256').update(token).digest('hex');

const store = process.env.DATABASE_URL
  ? await mysqlStore(process.env.DATABASE_URL)
  : sqliteStore(process.env.FILE);

const server = createServer((request, response) => {
  const answer = (status, body) => {
    const text = JSON.stringify(body);
    response.writeHead(status, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(text),
    });
    response.end(text);
  };
  const fail = (error) => answer(500, { error: String(error) });
  if (request.method === 'POST') {
    const parts = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => create(JSON.parse(Buffer.concat(parts))).then((body) => answer(201, body), fail));
  } else {
    read(request.url.slice(request.url.lastIndexOf('/') + 1)).then(
      (body) => answer(body ? 200 : 404, body),
      fail,
    );
  }
});
server.listen(0, '127.0.0.1', () =>
  console.log(JSON.stringify({ address: `http://127.0.0.1:${server.address().port}` })),
);

async function create({ push }) {
  const token = randomBytes(32).toString('base64url');
  const dataKey = randomBytes(32);
  const id = crypto.randomUUID();
  await store.insert(
    [
      id,
      digestOf(token),
      seal(masterKey, dataKey),
      seal(dataKey, push.payload),
      push.expire_after_views ?? 5,
    ],
    [crypto.randomUUID(), id, 'creation'],
  );
  return { url_token: token };
}

async function read(token) {
  const row = await store.find(digestOf(token));
  if (!row) return undefined;
  const payload = row.payload && open(open(masterKey, row.data_key), row.payload).toString();
  const isClaimed = await store.claim(row.id, [crypto.randomUUID(), row.id, 'view']);
  return { payload: isClaimed ? payload : null };
}

function sqliteStore(file) {
  const db = new Database(file);
  for (const pragma of ['journal_mode = WAL', 'synchronous = FULL', 'secure_delete = ON']) db.pragma(pragma);
  for (const table of TABLES) db.exec(table);
  const insertPush = db.prepare('INSERT INTO pushes VALUES (?, ?, ?, ?, ?, 0)');
  const insertAudit = db.prepare('INSERT INTO audit VALUES (?, ?, ?)');
  const find = db.prepare('SELECT id, data_key, payload FROM pushes WHERE digest = ?');
  const claim =
    db.prepare(`UPDATE pushes SET payload = CASE WHEN views + 1 >= most THEN NULL ELSE payload END,
    data_key = CASE WHEN views + 1 >= most THEN NULL ELSE data_key END, views = views + 1 WHERE id = ? AND views < most`);

  let waiting = [];
  const commit = db.transaction((group) => group.map(({ work }) => work()));
  const flush = () => {
    const group = waiting;
    waiting = [];
    try {
      commit.immediate(group).forEach((result, i) => group[i].resolve(result));
    } catch (error) {
      group.forEach(({ reject }) => reject(error));
    }
  };
  const write = (work) =>
    new Promise((resolve, reject) => {
      if (waiting.push({ work, resolve, reject }) === 1) setImmediate(flush);
    });
  return {
    insert: (push, audit) =>
      write(() => {
        insertPush.run(push);
        insertAudit.run(audit);
      }),
    find: (digest) => Promise.resolve(find.get(digest)),
    claim: (id, audit) =>
      write(() => {
        const isClaimed = claim.run(id).changes === 1;
        if (isClaimed) insertAudit.run(audit);
        return isClaimed;
      }),
  };
}

async function mysqlStore(uri) {
  const pool = mysql.createPool({ uri, connectionLimit: 10 });
  for (const table of TABLES) await pool.query(table);
  const transaction = async (work) => {
    const connection = await pool.getConnection();
    try {
      await connection.query('START TRANSACTION');
      const result = await work(connection);
      await connection.query('COMMIT');
      return result;
    } finally {
      connection.release();
    }
  };
  return {
    insert: (push, audit) =>
      transaction(async (connection) => {
        await connection.query('INSERT INTO pushes VALUES (?, ?, ?, ?, ?, 0)', push);
        await connection.query('INSERT INTO audit VALUES (?, ?, ?)', audit);
      }),
    find: async (digest) =>
      (await pool.query('SELECT id, data_key, payload FROM pushes WHERE digest = ?', [digest]))[0][0],
    claim: (id, audit) =>
      transaction(async (connection) => {
        const [{ affectedRows }] = await connection.query(
          `UPDATE pushes SET payload = IF(views + 1 >= most, NULL, payload),
             data_key = IF(views + 1 >= most, NULL, data_key), views = views + 1 WHERE id = ? AND views < most`,
          [id],
        );
        if (affectedRows === 1) await connection.query('INSERT INTO audit VALUES (?, ?, ?)', audit);
        return affectedRows === 1;
      }),
  };
}
