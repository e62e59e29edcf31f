const { globSync, readdirSync } = require('node:fs');
const { availableParallelism } = require('node:os');
const { join } = require('node:path');
const { findBrowser } = require('./test/support/find-browser.js');
const { findEngines } = require('./test/support/find-engines.js');
const { findPostgresql } = require('./test/support/find-postgresql.js');
const { isFirst, specsOf } = require('./test/support/share-specs.js');

/** With two on two cores, a third of the time is spent waiting for databases and started processes. */
const MIN_WORKERS = 3;

const compile = ({ tsx }) => [
  '@swc/jest',
  {
    jsc: {
      target: 'es2023',
      parser: { syntax: 'typescript', decorators: true, tsx },
      transform: {
        legacyDecorator: true,
        decoratorMetadata: true,
        useDefineForClassFields: false,
        react: { runtime: 'automatic', importSource: 'preact' },
      },
    },
  },
];

const common = {
  rootDir: __dirname,
  modulePathIgnorePatterns: ['<rootDir>/dist-openapi'], // has a package.json of the same name
  testEnvironment: 'node',
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' }, // sources name the file that they are built to
  transform: { '^.+\\.ts$': compile({ tsx: false }), '^.+\\.tsx$': compile({ tsx: true }) },
};

/** A suite runs its specs as one file, unless some specs are asked for. See docs/decisions/0021. */
const HAS_SUITES = !process.argv.some((argument) => argument.startsWith('--testPathPatterns'));
const SUITES = readdirSync(join(__dirname, 'test/suites')).map((name) => name.replace('.suite.ts', ''));

function matching(paths, suiteOf, globals) {
  const bySuite = HAS_SUITES ? Object.groupBy(paths, suiteOf) : { none: paths };
  const { none = [], ...specs } = bySuite;
  const files = [...Object.keys(specs).map((suite) => `test/suites/${suite}.suite.ts`), ...none];
  return { globals: { ...globals, specs }, testMatch: files.map((path) => `<rootDir>/${path}`) };
}

function suiteOfFolder(path) {
  const [, folder] = path.split('/');
  return SUITES.includes(folder) ? folder : 'others';
}

const isMysql = ({ name }) => name === 'mariadb' || name === 'mysql';

const find = (...patterns) => globSync(patterns, { cwd: __dirname }).sort();

/** The unit specs once; the specs of the whole app once for each database engine at hand; those in a browser on SQLite. */
module.exports = async () => {
  const postgresql = await findPostgresql();
  return {
    maxWorkers: Math.max(MIN_WORKERS, availableParallelism()),
    workerIdleMemoryLimit: '1GB', // a worker keeps what each spec has loaded
    testTimeout: 60_000,
    testSequencer: '<rootDir>/test/support/longest-first.js',
    projects: [
      {
        ...common,
        displayName: 'unit',
        ...matching(find('src/**/*.spec.ts', 'test/**/*.unit-spec.ts'), () => 'unit'),
      },
      ...(await findEngines()).map((engine, _, engines) => ({
        ...common,
        displayName: isFirst(engine, engines) ? engine.name : `${engine.name}-${new URL(engine.url).port}`,
        ...matching(specsOf(engine, engines), suiteOfFolder, {
          engine,
          sources: { mysql: (isMysql(engine) ? engine : engines.find(isMysql))?.url, postgresql },
        }),
        setupFilesAfterEnv: ['<rootDir>/test/support/set-up.ts'],
        ...(engine.url && { globalTeardown: '<rootDir>/test/support/drop-databases.js' }),
      })),
      ...findBrowser().map((executablePath) => ({
        ...common,
        displayName: 'browser',
        ...matching(
          find('test/browser/*.e2e-spec.ts', 'src/**/*.browser-spec.ts'),
          (path) => (path.includes('every-page') ? 'none' : 'browser'), // which takes as long as all others
          { engine: { name: 'sqlite' }, browser: { executablePath } },
        ),
        setupFilesAfterEnv: ['<rootDir>/test/support/set-up.ts'],
      })),
    ],
  };
};
