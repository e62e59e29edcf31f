const root = `${__dirname}/../..`;
const isMerge = process.env.TEST_SCOPE === 'merge';

/**
 * Starts clusters of MariaDB and MySQL, and nginx, which must be installed: see .ci/galera, .ci/mysql and .ci/nginx.
 * `TEST_SCOPE=merge` runs only Galera.
 */
module.exports = async () => {
  const { projects } = await require('../../jest.config.js')();
  const { displayName, testMatch, ...common } = projects[0];
  return {
    ...common,
    rootDir: root,
    globals: { engine: { name: 'mysql' } }, // for what the specs share; they start their own servers
    testMatch: [`<rootDir>/test/replicas/${isMerge ? 'galera' : '*'}.replicas-spec.ts`],
    testTimeout: 120_000,
  };
};
