const mysql = require('mysql2/promise');
const pg = require('pg');

const USUAL_SERVERS = ['mysql://root@127.0.0.1:3306', 'postgresql://postgres@127.0.0.1:5432'];
/** With the time, by which drop-databases.js recognizes those that a killed run has left. */
const databasePrefix = `sealpush_test_${Date.now()}_${process.pid}_`;

/**
 * SQLite, and each server listed in TEST_DATABASE_URL (separated by spaces), or those at the usual URLs that respond.
 * A listed server must respond.
 */
async function findEngines() {
  const named = process.env.TEST_DATABASE_URL?.split(/\s+/).filter(Boolean);
  const servers = named
    ? await Promise.all(named.map(asEngine))
    : (await Promise.all(USUAL_SERVERS.map((url) => asEngine(url).catch(() => [])))).flat();
  if (servers.length === 0) {
    console.error(
      '!!! NO DATABASE SERVER: tested on SQLite only. Start MariaDB, MySQL or PostgreSQL, or set TEST_DATABASE_URL !!!',
    );
  }
  return [{ name: 'sqlite' }, ...servers];
}

async function asEngine(url) {
  const found = await (/^postgres/.test(url) ? findPostgres(url) : findMysql(url));
  return { ...found, url, databasePrefix };
}

async function findMysql(url) {
  const connection = await mysql.createConnection(url);
  const [[{ version }]] = await connection.query('SELECT VERSION() AS version');
  await connection.end();
  return { name: version.includes('MariaDB') ? 'mariadb' : 'mysql' };
}

async function findPostgres(url) {
  const client = new pg.Client(`${url}/postgres`);
  await client.connect();
  const { rows } = await client.query('SHOW server_version');
  await client.end();
  return { name: 'postgres', major: Number.parseInt(rows[0].server_version, 10) };
}

module.exports = { findEngines };
