const { sep } = require('node:path');
const { default: Runtime } = require('jest-runtime');

const kept = { modules: new Map(), esModules: new Map(), internalModules: new Map() };

/** Of Jest's own modules, the only one with the state of a spec. */
const RUNNER = `${sep}jest-circus${sep}`;

/** Loads the app, its dependencies and Jest's modules once per process; modules in test/ are loaded for each spec. */
class SharedRuntime extends Runtime {
  constructor(config, ...others) {
    super(config, ...others);
    const { watch, watchAll } = others.at(-1);
    const tests = `${config.rootDir}${sep}test${sep}`;
    this.isOutdated = (path) => watch || watchAll || path.startsWith(tests);
    this.registries.moduleRegistry = kept.modules;
    this.registries.esModuleRegistry = kept.esModules;
    this.registries.internalModuleRegistry = kept.internalModules;
  }

  /** Jest forbids modules to load others after their spec has finished; here later specs still use them. */
  leaveTestCode() {}

  teardown() {
    this.restoreAllMocks();
    for (const path of kept.modules.keys()) if (this.isOutdated(path)) kept.modules.delete(path);
    for (const path of kept.internalModules.keys()) {
      if (path.includes(RUNNER)) kept.internalModules.delete(path);
    }
  }
}

module.exports = SharedRuntime;
