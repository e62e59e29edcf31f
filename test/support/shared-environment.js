const { TestEnvironment } = require('jest-environment-node');

const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS'); // where Jest's runner adds handlers for each spec
let shared;
let globals = {};

/** Shares one set of globals between the specs of a process, so that modules kept by shared-runtime.js work in each. */
class SharedEnvironment extends TestEnvironment {
  // oxlint-disable-next-line constructor-super, no-this-before-super -- a constructor may return another object
  constructor(config, context) {
    if (shared === undefined) super(config, context);
    shared ??= this;
    for (const name of [EVENT_HANDLERS, ...Object.keys(globals)]) delete shared.global[name];
    ({ globals } = config.projectConfig);
    Object.assign(shared.global, globals);
    return shared;
  }

  async teardown() {} // the next spec reuses it
}

module.exports = SharedEnvironment;
