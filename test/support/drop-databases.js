const mysql = require('mysql2/promise');

const DAY_MS = 86_400_000;

/** Drops the databases that this run has left on the server of a project, and those that killed runs left a day ago. */
module.exports = async (_globalConfig, { globals: { engine } }) => {
  const connection = await mysql.createConnection(engine.url);
  const [rows] = await connection.query(String.raw`SHOW DATABASES LIKE 'sealpush\_test\_%'`);
  for (const name of rows.flatMap(Object.values)) {
    const [, startedAt] = /^sealpush_test_(\d{13})_/.exec(name) ?? [];
    const isOld = Number(startedAt) < Date.now() - DAY_MS;
    if (isOld || name.startsWith(engine.databasePrefix)) await connection.query(`DROP DATABASE ${name}`);
  }
  await connection.end();
};
