import { readFileSync } from 'node:fs';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { forAllTests } from '../support/for-tests.js';
import { startApp } from '../support/start-app.js';
import { LANGUAGE_CODES } from '../../src/texts/languages.js';
import type { PageClient } from '../support/page-client.js';
import { newSignedInUser } from '../support/page-client.js';

const LARGEST = '/api/v2/openapi.json';
const DECODE: Record<string, (content: Buffer) => Buffer> = { br: brotliDecompressSync, gzip: gunzipSync };

const running = forAllTests(startApp);

describe('A static file', () => {
  let stylesheet: string;

  beforeAll(async () => {
    [stylesheet = ''] = /\/assets\/\w+\/sealpush\.css/.exec((await running.anonymous.get('/')).body) ?? [];
  });

  const ask = async (path: string, acceptEncoding?: string, method = 'GET') => {
    const headers = acceptEncoding === undefined ? {} : { 'Accept-Encoding': acceptEncoding };
    const sent = request(running.url + path, { method, headers }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return { status: response.statusCode, headers: response.headers, content: await buffer(response) };
  };
  const files = (): [path: string, content: Buffer][] => [
    [stylesheet, readFileSync('dist/client/sealpush.css')],
    ['/api/docs.md', readFileSync('docs/api.md')],
    [LARGEST, readFileSync('openapi.json')],
  ];

  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['br;q=0.5, gzip', 'br'],
    ['*', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, *', 'gzip'],
  ])('is compressed for clients that accept %s (L7)', async (accepted, encoding) => {
    for (const [path, expected] of files()) {
      const { status, headers, content } = await ask(path, accepted);

      expect(status).toBe(200);
      expect(headers).toMatchObject({
        'content-encoding': encoding,
        vary: 'Accept-Encoding',
        'content-length': String(content.length),
      });
      expect(content.length).toBeLessThan(expected.length / 2);
      expect(DECODE[encoding]?.(content).equals(expected)).toBe(true);
    }
  });

  it.each([
    undefined,
    '',
    'identity',
    'deflate',
    'br;q=0, gzip;q=0',
    ';;,,q=,',
    'x'.repeat(8000),
    ','.repeat(8000),
  ])('is not compressed for clients that accept %p', async (accepted) => {
    for (const [path, expected] of files()) {
      const { status, headers, content } = await ask(path, accepted);

      expect(status).toBe(200);
      expect(headers).toMatchObject({ vary: 'Accept-Encoding', 'content-length': String(expected.length) });
      expect(headers).not.toHaveProperty('content-encoding');
      expect(content.equals(expected)).toBe(true);
    }
  });

  it('has the headers of its encoding with HEAD, and no body', async () => {
    const whole = await ask(LARGEST, 'br');
    const { status, headers, content } = await ask(LARGEST, 'br', 'HEAD');

    expect(status).toBe(200);
    expect(headers['content-encoding']).toBe('br');
    expect(headers['content-length']).toBe(whole.headers['content-length']);
    expect(content.length).toBe(0);
  });
});

const LIMIT = 60_000;

describe('A page', () => {
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
    ...['/p/T/audit', '/pushes', '/pushes/expired', '/users/edit', '/users/token', '/nowhere'].map((path) => [
      path,
      52,
    ]),
    ...LANGUAGE_CODES.flatMap((language) => [
      [`/?locale=${language}`, 75],
      [`/p/T?locale=${language}`, 55],
      [`/p/T/preview?locale=${language}`, 60],
    ]),
  ] as [string, number][])('%s transfers less than %d kB with all that it loads', async (path, limit) => {
    const { body: made } = await pageClient.post('/', { 'push[payload]': 'correct horse' });
    const [, token = ''] = /\/p\/([\w-]{43})/.exec(made) ?? [];
    const { body } = await pageClient.get(path.replace('T', token));
    const named = [...body.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, url = '']) => url);
    const besides = (name: string) => (named[0] ?? '').replace(/[^/]+$/, name);
    const ofStylesheet = ['geist-latin.woff2', 'geist-mono-latin.woff2', 'tint.svg'];
    if (/locale=(cs|pl)$/.test(path)) ofStylesheet.push('geist-czech-polish.woff2');
    const assets = new Set([...named, ...ofStylesheet.map(besides)]);

    const weights = await Promise.all([...assets].map((path) => weightOf(path)));

    expect(assets.size).toBe(3 + ofStylesheet.length);
    expect(weights.reduce((sum, weight) => sum + weight, Buffer.byteLength(body))).toBeLessThan(limit * 1024);
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
