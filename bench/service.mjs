// How the built service is started for a benchmark: with the command of `npm start`.
import { START_FLAGS } from '../scripts/start-flags.mjs';

/** BENCH_FLAGS replaces the flags of package.json; empty, it leaves Node.js its defaults. */
export const FLAGS = process.env.BENCH_FLAGS?.split(/\s+/).filter(Boolean) ?? START_FLAGS;

export const SERVICE = [...FLAGS, 'dist/main.js'];

/** No job runs in it by the clock. */
export const QUIET_SERVICE = [...FLAGS, 'bench/growth-server.mjs'];

export const SERVICE_ENV = { HOST: '127.0.0.1', PORT: '0', REQUESTS_PER_MINUTE: '0', LOG_LEVEL: 'info' };
