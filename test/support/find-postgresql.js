const { execFile } = require('node:child_process');
const { promisify } = require('node:util');

const USUAL_SERVER = 'postgresql://postgres@127.0.0.1:5432';

/**
 * The URL of a PostgreSQL server, without a database, that tests may use: TEST_POSTGRESQL_URL, or the usual one if it
 * responds. They need psql to load a dump.
 */
async function findPostgresql() {
  const named = process.env.TEST_POSTGRESQL_URL;
  try {
    await promisify(execFile)('psql', [
      '--no-password',
      '--command',
      'SELECT 1',
      `${named ?? USUAL_SERVER}/postgres`,
    ]);
    return named ?? USUAL_SERVER;
  } catch (error) {
    if (named) throw error;
    console.error(
      '!!! NO POSTGRESQL: imports from it are not tested. Start it, with psql installed, or set TEST_POSTGRESQL_URL !!!',
    );
    return undefined;
  }
}

module.exports = { findPostgresql };
