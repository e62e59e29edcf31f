const root = `${__dirname}/../..`;
const isShort = process.env.HARD === 'short';

/** Crashes, floods, odd input and faults, for minutes: once for each database engine at hand. `HARD=short` asks for less of each. */
module.exports = async () => {
  const { projects } = await require('../../jest.config.js')();
  return {
    maxWorkers: 1, // the specs load the machine themselves
    forceExit: true, // servers that were killed leave handles
    testTimeout: 600_000,
    projects: projects
      .filter(({ globals }) => globals?.engine && !globals.browser)
      .map((project) => ({
        ...project,
        rootDir: root,
        testMatch: ['<rootDir>/test/hard/*.hard-spec.ts'],
        // SQLite has no server that could be killed
        testPathIgnorePatterns: project.globals.engine.url ? [] : ['<rootDir>/test/hard/database-'],
        setupFilesAfterEnv: ['<rootDir>/test/hard/support/patience.ts'],
        globals: { ...project.globals, isShort },
      })),
  };
};
