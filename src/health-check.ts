import type { LookupAddress } from 'node:dns';
import type { RequestOptions } from 'node:http';
import { Agent, get } from 'node:http';
import { currentAddress } from './platform/settings/current-settings.js';

/** Less than the timeout of five seconds in the Dockerfile. */
const TIMEOUT_MS = 4000;

/** What is asked when the service listens on all addresses: some containers have no IPv6 loopback, some no IPv4. */
const LOOPBACKS: Record<string, LookupAddress[]> = {
  '0.0.0.0': [{ address: '127.0.0.1', family: 4 }],
  '::': [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ],
};

/** The image's health check: exits with 0 when the service responds to `/up` with 200, otherwise with 1. */
function checkHealth(): void {
  const { HOST, PORT } = currentAddress();
  const loopbacks = LOOPBACKS[HOST];
  const options: RequestOptions = {
    ...(loopbacks
      ? {
          host: 'localhost',
          lookup: (_name, _options, found) => {
            found(null, loopbacks);
          },
        }
      : { host: HOST }),
    port: PORT,
    path: '/up',
    timeout: TIMEOUT_MS,
    agent: new Agent({ proxyEnv: {} }), // the global one may use a proxy (NODE_USE_ENV_PROXY)
  };
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
