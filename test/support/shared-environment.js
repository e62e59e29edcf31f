const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');

const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS'); // where Jest's runner adds handlers for each spec
let shared;
let globals = {};

/**
 * Makes the global object of a context an ordinary one. Jest's is a proxy to notice globals that a spec leaves behind,
 * and Node.js intercepts each access to it: together a seventh of the CPU time of the specs.
 */
function withOrdinaryGlobal(construct) {
  const { createContext } = vm;
  vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
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
    if (shared === undefined) withOrdinaryGlobal(() => super(config, context));
    shared ??= this;
    for (const name of [EVENT_HANDLERS, ...Object.keys(globals)]) delete shared.global[name];
    ({ globals } = config.projectConfig);
    Object.assign(shared.global, globals);
    return shared;
  }

  async teardown() {} // the next spec reuses it
}

module.exports = SharedEnvironment;
