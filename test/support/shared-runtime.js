const { sep } = require('node:path');
const { default: Runtime } = require('jest-runtime');

const kept = { modules: new Map(), esModules: new Map() };

/** Loads the app and its dependencies once per process; only modules in test/ are reloaded for each spec. */
class SharedRuntime extends Runtime {
  constructor(config, ...others) {
    super(config, ...others);
    const { watch, watchAll } = others.at(-1);
    const tests = `${config.rootDir}${sep}test${sep}`;
    this.isOutdated = (path) => watch || watchAll || path.startsWith(tests);
    this.registries.moduleRegistry = kept.modules;
    this.registries.esModuleRegistry = kept.esModules;
  }

  /** Jest forbids modules to load others after their spec has finished; here later specs still use them. */
  leaveTestCode() {}

  teardown() {
    this.restoreAllMocks();
    for (const path of kept.modules.keys()) if (this.isOutdated(path)) kept.modules.delete(path);
  }
}

module.exports = SharedRuntime;
