const mysql = require('mysql2/promise');
const pg = require('pg');

const DAY_MS = 86_400_000;

/** Drops the databases that this run has left on the server of a project, and those that killed runs left a day ago. */
module.exports = async (_globalConfig, { globals: { engine } }) => {
  const server = await (engine.name === 'postgres' ? onPostgres : onMysql)(engine.url);
  for (const name of await server.names()) {
    const [, startedAt] = /^sealpush_test_(\d{13})_/.exec(name) ?? [];
    const isOld = Number(startedAt) < Date.now() - DAY_MS;
    if (isOld || name.startsWith(engine.databasePrefix)) await server.drop(name);
  }
  await server.end();
};

async function onMysql(url) {
  const connection = await mysql.createConnection(url);
  return {
    names: async () => {
      const [rows] = await connection.query(String.raw`SHOW DATABASES LIKE 'sealpush\_test\_%'`);
      return rows.flatMap(Object.values);
    },
    drop: (name) => connection.query(`DROP DATABASE ${name}`),
    end: () => connection.end(),
  };
}

async function onPostgres(url) {
  const client = new pg.Client(`${url}/postgres`);
  await client.connect();
  return {
    names: async () => {
      const { rows } = await client.query(
        String.raw`SELECT datname FROM pg_database WHERE datname LIKE 'sealpush\_test\_%'`,
      );
      return rows.map(({ datname }) => datname);
    },
    drop: (name) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
    end: () => client.end(),
  };
}
