const root = `${__dirname}/../..`;

/** Starts a Galera cluster and nginx, which must be installed: see docs/operating.md, Several processes. */
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
