const { sep } = require('node:path');
const { default: Runtime } = require('jest-runtime');

const kept = { modules: new Map(), esModules: new Map() };

/** Loads the app and its dependencies once for all specs that a process runs; only what lies in test/ is loaded for each. */
class LastingRuntime extends Runtime {
  constructor(config, ...others) {
    super(config, ...others);
    const { watch, watchAll } = others.at(-1);
    const tests = `${config.rootDir}${sep}test${sep}`;
    this.isOutdated = (path) => watch || watchAll || path.startsWith(tests);
    this.registries.moduleRegistry = kept.modules;
    this.registries.esModuleRegistry = kept.esModules;
  }

  /** Jest forbids what a spec has loaded to load more once its tests are over; here it goes on serving others. */
  leaveTestCode() {}

  teardown() {
    this.restoreAllMocks();
    for (const path of kept.modules.keys()) if (this.isOutdated(path)) kept.modules.delete(path);
  }
}

module.exports = LastingRuntime;
