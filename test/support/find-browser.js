const { existsSync } = require('node:fs');

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The browser that the pages are walked through with: CHROMIUM, or one in a usual place. A CI run must have one. */
function findBrowser() {
  const found = [process.env.CHROMIUM, ...PLACES].find((path) => path && existsSync(path));
  if (found) return [found];

  const complaint = 'NO BROWSER: the pages are not walked through. Install chromium, or name one in CHROMIUM';
  if (process.env.CI) throw new Error(complaint);
  console.error(`!!! ${complaint} !!!`);
  return [];
}

module.exports = { findBrowser };
