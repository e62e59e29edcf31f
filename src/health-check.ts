import { get } from 'node:http';
import { currentSettings } from './settings/current-settings.js';

/** Less than the timeout of five seconds in the Dockerfile. */
const TIMEOUT_MS = 4000;

/** A service that listens on all addresses is checked on the loopback address. */
const LOOPBACK = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
]);

/** The image's health check: exits with 0 when the service responds to `/up` with 200, otherwise with 1. */
function checkHealth(): void {
  const { HOST, PORT } = currentSettings();
  const options = { host: LOOPBACK.get(HOST) ?? HOST, port: PORT, path: '/up', timeout: TIMEOUT_MS };
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
