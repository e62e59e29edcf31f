const { existsSync } = require('node:fs');

const root = `${__dirname}/../..`;
/** The scripts that install the browsers, and the programs that they install. */
const BROWSERS = {
  firefox: ['/usr/bin/firefox-esr'],
  webkit: ['/usr/bin/WebKitWebDriver', '/usr/bin/Xvfb'],
};

/** Walks through the pages in browsers of other engines than Chromium’s. */
module.exports = async () => {
  const { projects } = await require('../../jest.config.js')();
  const { displayName, testMatch, ...common } = projects[0];
  return {
    testTimeout: 600_000,
    projects: Object.entries(BROWSERS).map(([browser, programs]) => {
      const missing = programs.filter((path) => !existsSync(path));
      if (missing.length > 0)
        throw new Error(`${missing.join(', ')} not found: install it with .ci/${browser}`);
      return {
        ...common,
        rootDir: root,
        displayName: browser,
        testMatch: ['<rootDir>/test/other-browsers/*.other-browsers-spec.ts'],
        globals: { engine: { name: 'sqlite' }, browser },
      };
    }),
  };
};
