const root = `${__dirname}/../..`;
const isMerge = process.env.HARD === 'merge';
const isShort = ['short', 'delays'].includes(process.env.HARD) || isMerge;

/** They compare how long others wait, or share one processor: only alone on the machine. */
const DELAYS = ['cheap', 'overdue-flood', 'passphrase-flood', 'slow-crowd', 'small-machine'];

/**
 * Crashes, floods, odd input and faults, for minutes, on each available database engine. `HARD=short` runs less of each,
 * two specs at a time, without those that must have the machine alone, which `HARD=delays` runs. `HARD=merge` runs only
 * random input, on SQLite and on one of the servers, a random one.
 */
module.exports = async () => {
  const { projects } = await require('../../jest.config.js')();
  // without the browser and further servers of an engine
  const [onSqlite, ...onServers] = projects.filter(
    ({ displayName, globals }) => displayName === globals?.engine?.name,
  );
  const first = isMerge ? Math.floor(Math.random() * onServers.length) : 0;
  return {
    maxWorkers: isShort && process.env.HARD !== 'delays' ? 2 : 1, // full specs load the machine themselves, most of the short ones mainly wait
    forceExit: true, // servers that were killed leave handles
    testTimeout: 600_000,
    projects: [onSqlite, ...onServers.slice(first, isMerge ? first + 1 : undefined)].map((project) => ({
      ...project,
      rootDir: root,
      testMatch: [`<rootDir>/test/hard/${pattern()}.hard-spec.ts`],
      testPathIgnorePatterns: notFor(project.globals.engine).map((name) => `<rootDir>/test/hard/${name}`),
      setupFilesAfterEnv: ['<rootDir>/test/hard/support/patience.ts'],
      globals: { ...project.globals, isShort },
    })),
  };
};

function pattern() {
  switch (process.env.HARD) {
    case 'merge':
      return 'fuzz';
    case 'short':
      return `!(${DELAYS.map((name) => `${name}*`).join('|')})`;
    case 'delays':
      return `@(${DELAYS.map((name) => `${name}*`).join('|')})`;
    default:
      return '*';
  }
}

function notFor(engine) {
  const withoutServer = engine.url ? [] : ['database-'];
  const withoutTime = isShort ? ['slow-cut-off'] : []; // it waits for real time limits of minutes
  // what they test hardly reaches the database
  const onceIsEnough = isShort && engine.url ? ['cheap', 'client-size', 'slow-crowd', 'uploads-size'] : [];
  return [...withoutServer, ...withoutTime, ...onceIsEnough];
}
