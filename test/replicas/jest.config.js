const root = `${__dirname}/../..`;

/** Starts clusters of MariaDB and MySQL, and nginx, which must be installed: see .ci/galera, .ci/mysql and .ci/nginx. */
module.exports = async () => {
  const { projects } = await require('../../jest.config.js')();
  const { displayName, testMatch, ...common } = projects[0];
  return {
    ...common,
    rootDir: root,
    testMatch: ['<rootDir>/test/replicas/*.replicas-spec.ts'],
    testTimeout: 120_000,
  };
};
