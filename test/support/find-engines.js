const mysql = require('mysql2/promise');

const USUAL_SERVER = 'mysql://root@127.0.0.1:3306';

/**
 * SQLite, and each server that TEST_DATABASE_URL names (separated by spaces) or that answers at the usual place.
 * A server that is named must answer.
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
      '!!! NO DATABASE SERVER: tested on SQLite alone. Start MariaDB or MySQL, or name one in TEST_DATABASE_URL !!!',
    );
  }
  return [{ name: 'sqlite' }, ...servers];
}

async function asEngine(url) {
  const connection = await mysql.createConnection(url);
  const [[{ version }]] = await connection.query('SELECT VERSION() AS version');
  await connection.end();
  return { name: version.includes('MariaDB') ? 'mariadb' : 'mysql', url };
}

module.exports = { findEngines };
