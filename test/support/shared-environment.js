const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');

/** Descriptions of the symbols under which Jest's runner keeps the tests of a spec, with all they use, and handlers. */
const OF_A_SPEC = ['JEST_STATE_SYMBOL', 'EVENT_HANDLERS'];
let shared;
let exit;
let globals = {};

/**
 * Makes the global object of a context an ordinary one. Jest's is a proxy to notice globals that a spec leaves behind,
 * and Node.js intercepts each access to it: together a seventh of the CPU time of the specs.
 */
function withOrdinaryGlobal(construct) {
  const { createContext } = vm;
  vm.createContext = (_, options) => createContext(vm.constants.DONT_CONTEXTIFY, options);
  try {
    construct();
  } finally {
    vm.createContext = createContext;
  }
}

/** Shares one set of globals between the specs of a process, so that modules kept by shared-runtime.js work in each. */
class SharedEnvironment extends TestEnvironment {
  // oxlint-disable-next-line constructor-super, no-this-before-super -- a constructor may return another object
  constructor(config, context) {
    if (shared === undefined) {
      withOrdinaryGlobal(() => super(config, context));
      shared = this;
      ({ exit } = this.global.process);
    }
    shared.global.process.exit = exit; // instead of the runner's function for the last spec, which the next would call
    const symbols = Object.getOwnPropertySymbols(shared.global);
    const left = symbols.filter(({ description }) => OF_A_SPEC.includes(description));
    for (const name of [...left, ...Object.keys(globals)]) delete shared.global[name];
    ({ globals } = config.projectConfig);
    Object.assign(shared.global, globals);
    return shared;
  }

  async teardown() {} // the next spec reuses it
}

module.exports = SharedEnvironment;
