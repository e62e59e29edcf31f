import { readFileSync } from 'node:fs';

/** What `npm start` tells Node.js, so that whatever is measured is started alike. */
export const START_FLAGS = JSON.parse(readFileSync('package.json', 'utf8'))
  .scripts.start.split(' ')
  .filter((word) => word.startsWith('--'));
