const { createHash } = require('node:crypto');
const { globSync } = require('node:fs');
const { join } = require('node:path');

const ROOT = join(__dirname, '../..');

/** The kinds of specs that run on an engine, by the end of their names. */
const KINDS = {
  sqlite: ['sqlite', 'e2e'],
  mariadb: ['mysql', 'server', 'e2e'],
  mysql: ['mysql', 'server', 'e2e'],
  postgres: ['postgres', 'server', 'e2e'],
};

/** About statements, locks and transactions. */
const isOfDatabase = (path) => path.startsWith('test/database/');

/**
 * The paths of the specs that run on an engine, also of those beside their feature, without those in a browser: on another
 * server of the same engine only those of the database. With `TEST_SCOPE=merge`, each runs on SQLite and on one of the
 * servers, which its path decides, but those of the database on one of each family.
 */
function specsOf(engine, engines) {
  const servers = engines.filter(({ url }) => url);
  const isShared = process.env.TEST_SCOPE === 'merge' && servers.includes(engine);
  return globSync(`{src,test}/**/*.{${KINDS[engine.name].join()}}-spec.ts`, { cwd: ROOT })
    .filter((path) => !path.startsWith('test/browser/'))
    .filter((path) => isFirst(engine, engines) || isOfDatabase(path))
    .filter((path) => !isShared || serversFor(path, servers).includes(engine))
    .sort();
}

/** Whether it is the first of its name. */
function isFirst(engine, engines) {
  return engines.find(({ name }) => name === engine.name) === engine;
}

/** The same ones on every machine, and whichever specs are added. */
function serversFor(path, servers) {
  const able = servers
    .filter(({ name }) => KINDS[name].some((kind) => path.endsWith(`.${kind}-spec.ts`)))
    .filter((server) => isFirst(server, servers) || isOfDatabase(path));
  const families = isOfDatabase(path) ? Object.values(Object.groupBy(able, familyOf)) : [able];
  const [byte] = createHash('sha256').update(path).digest();
  return families.map((family) => family[byte % family.length]);
}

/** MySQL and MariaDB take the same statements. */
function familyOf({ name }) {
  return name === 'postgres' ? 'postgres' : 'mysql';
}

module.exports = { isFirst, specsOf };
