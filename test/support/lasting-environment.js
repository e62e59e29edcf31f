const { TestEnvironment } = require('jest-environment-node');

const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS'); // where Jest's runner adds handlers for each spec
let lasting;
let globals = {};

/** Shares one set of globals between the specs of a process, so that modules kept by lasting-runtime.js work in each. */
class LastingEnvironment extends TestEnvironment {
  constructor(config, context) {
    if (lasting === undefined) super(config, context);
    lasting ??= this;
    for (const name of [EVENT_HANDLERS, ...Object.keys(globals)]) delete lasting.global[name];
    ({ globals } = config.projectConfig);
    Object.assign(lasting.global, globals);
    return lasting;
  }

  async teardown() {} // the next spec reuses it
}

module.exports = LastingEnvironment;
