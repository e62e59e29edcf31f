const { createHash } = require('node:crypto');
const { globSync } = require('node:fs');
const { join, sep } = require('node:path');

const ROOT = join(__dirname, '../..');
/** Tests of statements, locks and transactions, which run on every server. */
const ON_EACH_SERVER = `test${sep}database${sep}`;

/**
 * With `TEST_SCOPE=merge`, every spec runs on SQLite and on one of the servers, which its path decides; without it, on
 * each of them.
 * @returns patterns of the specs that an engine leaves to others
 */
function specsOfOtherServers(engine, engines) {
  const servers = engines.filter(({ url }) => url);
  if (process.env.TEST_SCOPE !== 'merge' || !servers.includes(engine)) return [];
  return globSync('test/**/*.e2e-spec.ts', { cwd: ROOT })
    .filter((path) => !path.startsWith(ON_EACH_SERVER) && serverFor(path, servers) !== engine)
    .map((path) => `<rootDir>/${path}$`);
}

/** The same one on every machine, and whichever specs are added. */
function serverFor(path, servers) {
  const [byte] = createHash('sha256').update(path).digest();
  return servers[byte % servers.length];
}

module.exports = { specsOfOtherServers };
