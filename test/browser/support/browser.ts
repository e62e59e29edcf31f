import type { Browser } from 'playwright-core';
import { chromium } from 'playwright-core';

const { executablePath } = (globalThis as unknown as { browser: { executablePath: string } }).browser;

/** A host without TLS, which browsers trust less than localhost. */
export const PLAIN_HOST = 'push.test';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--host-resolver-rules=MAP ${PLAIN_HOST} 127.0.0.1`,
];

let launched: Promise<Browser> | undefined;

/** One for all tests of a spec; each person in it has a separate context. */
export function launch(): Promise<Browser> {
  return (launched ??= chromium.launch({ executablePath, args: FLAGS }));
}

afterAll(async () => (await launched)?.close());
