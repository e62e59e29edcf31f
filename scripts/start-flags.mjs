import { readFileSync } from 'node:fs';

/** The Node.js flags of `npm start`, so that measurements start the service in the same way. */
export const START_FLAGS = JSON.parse(readFileSync('package.json', 'utf8'))
  .scripts.start.split(' ')
  .filter((word) => word.startsWith('--'));
