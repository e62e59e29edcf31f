const { TestEnvironment } = require('jest-environment-node');

const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS'); // where Jest's runner adds some for each spec
let lasting;
let globals = {};

/** One set of globals for all specs that a process runs, so that what lasting-runtime.js keeps fits each of them. */
class LastingEnvironment extends TestEnvironment {
  constructor(config, context) {
    if (lasting === undefined) super(config, context);
    lasting ??= this;
    for (const name of [EVENT_HANDLERS, ...Object.keys(globals)]) delete lasting.global[name];
    ({ globals } = config.projectConfig);
    Object.assign(lasting.global, globals);
    return lasting;
  }

  async teardown() {} // the next spec goes on here
}

module.exports = LastingEnvironment;
