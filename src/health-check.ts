import { get } from 'node:http';
import { currentSettings } from './platform/settings/current-settings.js';

/** Less than the timeout of five seconds in the Dockerfile. */
const TIMEOUT_MS = 4000;

/** All addresses, in both notations, include this one. Containers often have no IPv6 loopback address. */
const LOOPBACK = '127.0.0.1';
const ALL_ADDRESSES = new Set(['0.0.0.0', '::']);

/** The image's health check: exits with 0 when the service responds to `/up` with 200, otherwise with 1. */
function checkHealth(): void {
  const { HOST, PORT } = currentSettings();
  const host = ALL_ADDRESSES.has(HOST) ? LOOPBACK : HOST;
  const options = { host, port: PORT, path: '/up', timeout: TIMEOUT_MS };
  const request = get(options, ({ statusCode }) => {
    if (statusCode === 200) process.exit(0);
    else fail(`/up responds with ${statusCode}`);
  });
  request.on('timeout', () => request.destroy(new Error('/up does not respond')));
  request.on('error', ({ message }) => {
    fail(message);
  });
}

function fail(message: string): void {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

try {
  checkHealth();
} catch (error) {
  fail((error as Error).message);
}
