/** What nobody runs: the structure of the source, documents, and the files to install and to release it. */
module.exports = async () => {
  const { projects } = await require('../../jest.config.js')();
  const { displayName, testMatch, ...common } = projects[0];
  return { ...common, testMatch: ['<rootDir>/test/project/*.project-spec.ts'], testTimeout: 60_000 };
};
