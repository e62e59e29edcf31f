import { readFileSync } from 'node:fs';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { forAllTests } from '../support/for-tests.js';
import { startApp } from '../support/start-app.js';

const LARGEST = '/api/v2/openapi.json';
const DECODE: Record<string, (content: Buffer) => Buffer> = { br: brotliDecompressSync, gzip: gunzipSync };

describe('A static file', () => {
  const running = forAllTests(startApp);
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
