const mysql = require('mysql2/promise');

const USUAL_SERVER = 'mysql://root@127.0.0.1:3306';
/** With the time, by which drop-databases.js recognizes those that a killed run has left. */
const databasePrefix = `sealpush_test_${Date.now()}_${process.pid}_`;

/**
 * SQLite, and each server listed in TEST_DATABASE_URL (separated by spaces), or the one at the usual URL if it responds.
 * A listed server must respond.
 */
async function findEngines() {
  const named = process.env.TEST_DATABASE_URL?.split(/\s+/).filter(Boolean);
  const servers = named
    ? await Promise.all(named.map(asEngine))
    : await asEngine(USUAL_SERVER).then(
        (engine) => [engine],
        () => [],
      );
  if (servers.length === 0) {
    console.error(
      '!!! NO DATABASE SERVER: tested on SQLite only. Start MariaDB or MySQL, or set TEST_DATABASE_URL !!!',
    );
  }
  return [{ name: 'sqlite' }, ...servers];
}

async function asEngine(url) {
  const connection = await mysql.createConnection(url);
  const [[{ version }]] = await connection.query('SELECT VERSION() AS version');
  await connection.end();
  return { name: version.includes('MariaDB') ? 'mariadb' : 'mysql', url, databasePrefix };
}

module.exports = { findEngines };
