import { request } from 'node:http';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { LANGUAGE_CODES } from '../../src/texts/languages.js';
import { forAllTests } from '../support/for-tests.js';
import type { PageClient } from '../support/page-client.js';
import { newSignedInUser } from '../support/page-client.js';
import { startApp } from '../support/start-app.js';

const LIMIT = 60_000;

describe('A page', () => {
  const running = forAllTests(startApp);
  let pageClient: PageClient;

  beforeAll(async () => ({ pageClient } = await newSignedInUser(running)));

  /** The bytes of a static file as a browser without a cache transfers it. */
  async function weightOf(path: string, encodings = 'gzip, deflate, br'): Promise<number> {
    const sent = request(running.url + path, { headers: { 'Accept-Encoding': encodings } }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(200);
    return (await buffer(response)).length;
  }

  it.each([
    '/',
    '/p/T',
    '/p/T/preview',
    '/p/T/audit',
    '/pushes',
    '/pushes/expired',
    '/users/edit',
    '/users/token',
    '/nowhere',
    ...LANGUAGE_CODES.map((language) => `/?locale=${language}`),
  ])('%s transfers less than 60 kB with all that it loads', async (path) => {
    const { body: made } = await pageClient.post('/', { 'push[payload]': 'correct horse' });
    const [, token = ''] = /\/p\/([\w-]{43})/.exec(made) ?? [];
    const { body } = await pageClient.get(path.replace('T', token));
    const assets = new Set(
      [...body.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, url = '']) => url),
    );

    const weights = await Promise.all([...assets].map((path) => weightOf(path)));

    expect(assets.size).toBe(3);
    expect(weights.reduce((sum, weight) => sum + weight, Buffer.byteLength(body))).toBeLessThan(LIMIT);
  });

  it.each([
    ['encrypt or decrypt', ['end-to-end.js', 'end-to-end-worker.js', 'archive.js']],
    ['encrypt to a recipient', ['recipient-encryption.js']],
  ])('transfers less than 60 kB more to %s in the browser', async (_purpose, names) => {
    const [stylesheet = ''] = /\/assets\/[^"]+sealpush\.css/.exec((await pageClient.get('/')).body) ?? [];
    const scripts = names.map((name) => stylesheet.replace('sealpush.css', name));
    const weights = await Promise.all(scripts.map((path) => weightOf(path, 'gzip')));

    expect(weights.reduce((sum, weight) => sum + weight)).toBeLessThan(LIMIT);
  });
});
