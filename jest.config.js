const { availableParallelism } = require('node:os');
const { findBrowser } = require('./test/support/find-browser.js');
const { findEngines } = require('./test/support/find-engines.js');
const { specsOfOtherServers } = require('./test/support/share-specs.js');

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
  testEnvironment: '<rootDir>/test/support/shared-environment.js',
  runtime: '<rootDir>/test/support/shared-runtime.js',
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' }, // sources name the file that they are built to
  transform: { '^.+\\.ts$': compile({ tsx: false }), '^.+\\.tsx$': compile({ tsx: true }) },
};

/** The unit specs once; the specs of the whole app once for each database engine at hand; those in a browser on SQLite. */
module.exports = async () => ({
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
      testMatch: [engine.url ? 'server' : 'sqlite', 'e2e'].map(
        (kind) => `<rootDir>/test/**/*.${kind}-spec.ts`,
      ),
      testPathIgnorePatterns: [
        '/node_modules/',
        '<rootDir>/test/browser/',
        ...specsOfOtherServers(engine, engines),
      ],
      globals: { engine },
      setupFilesAfterEnv: ['<rootDir>/test/support/long-tests.ts'],
      ...(engine.url && { globalTeardown: '<rootDir>/test/support/drop-databases.js' }),
    })),
    ...findBrowser().map((executablePath) => ({
      ...common,
      displayName: 'browser',
      testMatch: ['<rootDir>/test/browser/*.e2e-spec.ts'],
      globals: { engine: { name: 'sqlite' }, browser: { executablePath } },
      setupFilesAfterEnv: ['<rootDir>/test/support/long-tests.ts'],
    })),
  ],
});
