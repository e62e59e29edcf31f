const { TestEnvironment } = require('jest-environment-node');

let lasting;

/** One set of globals for all specs that a process runs, so that what lasting-runtime.js keeps fits each of them. */
class LastingEnvironment extends TestEnvironment {
  constructor(config, context) {
    if (lasting === undefined) super(config, context);
    lasting ??= this;
    Object.assign(lasting.global, config.projectConfig.globals);
    return lasting;
  }

  async teardown() {} // the next spec goes on here
}

module.exports = LastingEnvironment;
