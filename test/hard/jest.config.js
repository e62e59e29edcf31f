const root = `${__dirname}/../..`;
const isShort = process.env.HARD === 'short';

/** Crashes, floods, odd input and faults, for minutes: once for each database engine at hand. `HARD=short` asks for less of each. */
module.exports = async () => {
  const { projects } = await require('../../jest.config.js')();
  return {
    maxWorkers: isShort ? 2 : 1, // the specs load the machine themselves, but most of the short ones wait
    forceExit: true, // servers that were killed leave handles
    testTimeout: 600_000,
    projects: projects
      .filter(({ globals }) => globals?.engine && !globals.browser)
      .map(({ runtime: _shared, ...project }) => ({
        ...project,
        testEnvironment: 'node', // each spec loads the app anew: one puts something in the place of a module
        rootDir: root,
        testMatch: ['<rootDir>/test/hard/*.hard-spec.ts'],
        testPathIgnorePatterns: notFor(project.globals.engine).map((name) => `<rootDir>/test/hard/${name}`),
        setupFilesAfterEnv: ['<rootDir>/test/hard/support/patience.ts'],
        globals: { ...project.globals, isShort },
      })),
  };
};

function notFor(engine) {
  const withoutServer = engine.url ? [] : ['database-']; // there is none that could be killed
  const withoutTime = isShort ? ['slow-cut-off', 'cheap-crowds'] : []; // they wait for the real limits of minutes
  const onceIsEnough = isShort && engine.url ? ['cheap'] : []; // its requests hardly reach the database
  return [...withoutServer, ...withoutTime, ...onceIsEnough];
}
