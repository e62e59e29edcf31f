import { Initial1764700000000 } from './1764700000000-initial.js';

/** All migrations, in the order in which they run. */
export const migrations = [Initial1764700000000];
