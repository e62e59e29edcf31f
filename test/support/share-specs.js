const { createHash } = require('node:crypto');
const { globSync } = require('node:fs');
const { join } = require('node:path');

const ROOT = join(__dirname, '../..');

/**
 * The paths of the specs that run on an engine, also of those beside their feature, without those in a browser. With `TEST_SCOPE=merge`, each runs on SQLite
 * and on one of the servers, which its path decides, but tests of statements, locks and transactions on every server.
 */
function specsOf(engine, engines) {
  const servers = engines.filter(({ url }) => url);
  const isShared = process.env.TEST_SCOPE === 'merge' && servers.includes(engine);
  return globSync(`{src,test}/**/*.{${engine.url ? 'server' : 'sqlite'},e2e}-spec.ts`, { cwd: ROOT })
    .filter((path) => !path.startsWith('test/browser/'))
    .filter((path) => !isShared || path.startsWith('test/database/') || serverFor(path, servers) === engine)
    .sort();
}

/** The same one on every machine, and whichever specs are added. */
function serverFor(path, servers) {
  const [byte] = createHash('sha256').update(path).digest();
  return servers[byte % servers.length];
}

module.exports = { specsOf };
