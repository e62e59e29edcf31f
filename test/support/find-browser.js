const { existsSync } = require('node:fs');

/** The first, without a user interface, needs a third of the CPU time of the others. */
const PLACES = [
  '/usr/lib/chromium/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** The browser for the browser tests: CHROMIUM, or one in a usual location. CI runs must have one. */
function findBrowser() {
  const found = [process.env.CHROMIUM, ...PLACES].find((path) => path && existsSync(path));
  if (found) return [found];

  const message =
    'NO BROWSER: the browser tests are skipped. Install chromium-headless-shell, or set CHROMIUM to its path';
  if (process.env.CI) throw new Error(message);
  console.error(`!!! ${message} !!!`);
  return [];
}

module.exports = { findBrowser };
