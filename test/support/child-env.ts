import { resolve } from 'node:path';

/** What a process of ours is given of the environment. Node.js keeps there what it compiled, for the next process. */
export const CHILD_ENV = {
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: resolve('node_modules/.cache/compiled-for-tests'),
};
