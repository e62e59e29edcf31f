const { readdirSync } = require('node:fs');
const { availableParallelism } = require('node:os');
const { join } = require('node:path');
const { findBrowser } = require('./test/support/find-browser.js');
const { findEngines } = require('./test/support/find-engines.js');
const { findPostgresql } = require('./test/support/find-postgresql.js');
const { specsOf } = require('./test/support/share-specs.js');

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

/** The folders of test/ and src/ whose specs run as one file, unless some specs are asked for. See docs/decisions/0021. */
const SUITES = process.argv.some((argument) => argument.startsWith('--testPathPatterns'))
  ? []
  : readdirSync(join(__dirname, 'test/suites')).map((name) => name.replace('.suite.ts', ''));

function testsOf(engine, engines, postgresql) {
  const folderOf = (path) => path.split('/')[1];
  const paths = specsOf(engine, engines);
  const inSuites = paths.filter((path) => SUITES.includes(folderOf(path)));
  const byFolder = Object.groupBy(inSuites, folderOf);
  const suites = Object.keys(byFolder).map((folder) => `test/suites/${folder}.suite.ts`);
  const others = paths.filter((path) => !inSuites.includes(path));
  return {
    globals: { engine, specs: byFolder, sources: { mysql: engine.url ?? engines[1]?.url, postgresql } },
    testMatch: [...suites, ...others].map((path) => `<rootDir>/${path}`),
  };
}

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
        testMatch: ['<rootDir>/src/**/*.spec.ts', '<rootDir>/test/**/*.unit-spec.ts'],
      },
      ...(await findEngines()).map((engine, _, engines) => ({
        ...common,
        displayName: engine.name,
        ...testsOf(engine, engines, postgresql),
        setupFilesAfterEnv: ['<rootDir>/test/support/long-tests.ts'],
        ...(engine.url && { globalTeardown: '<rootDir>/test/support/drop-databases.js' }),
      })),
      ...findBrowser().map((executablePath) => ({
        ...common,
        displayName: 'browser',
        testMatch: ['<rootDir>/test/browser/*.e2e-spec.ts', '<rootDir>/src/**/*.browser-spec.ts'],
        globals: { engine: { name: 'sqlite' }, browser: { executablePath } },
        setupFilesAfterEnv: ['<rootDir>/test/support/long-tests.ts'],
      })),
    ],
  };
};
