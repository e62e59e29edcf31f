import { randomBytes } from 'node:crypto';
import type { Downloaded } from '../support/files.js';
import { download, linksOf, pushFiles } from '../support/files.js';
import { forAllTests } from '../support/for-tests.js';
import { startWithStore } from '../support/start-with-store.js';
import { STORES } from '../support/stores.js';

const SIZE = 200_000; // three whole chunks and a part of one
const CONTENT = randomBytes(SIZE);

/** The range as requested, and the first and last byte that are returned. */
const RANGES: [requested: string, first: number, last: number][] = [
  ['bytes=0-0', 0, 0],
  ['bytes=0-65534', 0, 65_534],
  ['bytes=0-65535', 0, 65_535],
  ['bytes=0-65536', 0, 65_536],
  ['bytes=65534-65535', 65_534, 65_535],
  ['bytes=65535-65535', 65_535, 65_535],
  ['bytes=65535-65536', 65_535, 65_536],
  ['bytes=65536-65536', 65_536, 65_536],
  ['bytes=65536-131071', 65_536, 131_071],
  ['bytes=65537-131072', 65_537, 131_072],
  ['bytes=131071-196608', 131_071, 196_608],
  ['bytes=196607-196608', 196_607, 196_608],
  ['bytes=196608-', 196_608, SIZE - 1],
  ['bytes=65536-', 65_536, SIZE - 1],
  ['bytes=0-', 0, SIZE - 1],
  [`bytes=0-${SIZE - 1}`, 0, SIZE - 1],
  [`bytes=${SIZE - 1}-`, SIZE - 1, SIZE - 1],
  ['bytes=199000-999999999', 199_000, SIZE - 1],
  ['bytes=-1', SIZE - 1, SIZE - 1],
  ['bytes=-65536', SIZE - 65_536, SIZE - 1],
  ['bytes=-999999999', 0, SIZE - 1],
];

describe.each(STORES)('A download from %s', (_store, start) => {
  const running = forAllTests(() => startWithStore(start));
  let url: string;

  beforeAll(async () => {
    const files = [{ name: 'a.bin', type: 'text/html', content: CONTENT }];
    const { url_token } = await pushFiles(running.user.client, files);
    [url = ''] = await linksOf(running.anonymous, url_token);
  });

  it.each(RANGES)('returns exactly the requested range: %s', async (requested, first, last) => {
    const { status, headers, bytes } = await download(url, { Range: requested });

    expect(status).toBe(206);
    expect(headers.get('content-range')).toBe(`bytes ${first}-${last}/${SIZE}`);
    expect(headers.get('content-length')).toBe(String(last - first + 1));
    expect(bytes.equals(CONTENT.subarray(first, last + 1))).toBe(true);
  });

  it.each([
    'bytes=0-1,5-6',
    'bytes=x-y',
    'bytes',
    'lines=0-1',
    'bytes=-',
    'bytes=5-4',
    'bytes=+1-2',
    'bytes=1 -2',
    'bytes=0x1-',
  ])('returns the whole file for an unsupported or invalid range: %s', async (requested) => {
    expectWhole(await download(url, { Range: requested }));
  });

  it.each([`bytes=${SIZE}-`, 'bytes=999999999-', 'bytes=-0'])(
    'responds with 416 when the range is outside of the file: %s',
    async (requested) => {
      const { status, headers, bytes } = await download(url, { Range: requested });

      expect(status).toBe(416);
      expect(headers.get('content-range')).toBe(`bytes */${SIZE}`);
      expect(JSON.parse(String(bytes))).toEqual({ error: 'The file has no such range.' });
    },
  );

  it('returns a range when If-Range matches the file, otherwise the whole file', async () => {
    const etag = (await download(url)).headers.get('etag') ?? '';
    const resume = (ifRange: string) => download(url, { Range: 'bytes=100000-', 'If-Range': ifRange });

    expect(etag).toMatch(/^"[^"]+"$/);
    expect((await resume(etag)).bytes.equals(CONTENT.subarray(100_000))).toBe(true);
    expectWhole(await resume('"another"'));
    expectWhole(await resume(`W/${etag}`));
    expectWhole(await resume('Sat, 29 Oct 1994 19:43:31 GMT'));
  });

  it('has headers that prevent displaying, sniffing, running and caching it (E3, A12)', async () => {
    for (const headers of [
      (await download(url)).headers,
      (await download(url, { Range: 'bytes=0-9' })).headers,
      (await running.anonymous.head(new URL(url).pathname)).headers,
    ]) {
      expect(Object.fromEntries(headers)).toMatchObject({
        'accept-ranges': 'bytes',
        'cache-control': 'no-store, no-transform',
        'content-disposition': 'attachment; filename=a.bin',
        'content-security-policy': "sandbox; default-src 'none'",
        'content-type': 'text/html',
        'x-content-type-options': 'nosniff',
      });
    }
  });

  it('has the same headers in response to HEAD', async () => {
    const { status, headers, body } = await running.anonymous.head(new URL(url).pathname);

    expect(status).toBe(200);
    expect(headers.get('content-length')).toBe(String(SIZE));
    expect(headers.get('etag')).toBe((await download(url)).headers.get('etag'));
    expect(body).toBe('');
  });

  it('of an empty file is empty, and has no ranges', async () => {
    const { url_token } = await pushFiles(running.user.client, [{ name: 'empty', content: '' }]);
    const [empty = ''] = await linksOf(running.anonymous, url_token);

    expect(await download(empty)).toMatchObject({ status: 200, bytes: Buffer.alloc(0) });
    expect((await download(empty, { Range: 'bytes=0-' })).status).toBe(416);
  });
});

function expectWhole({ status, headers, bytes }: Downloaded): void {
  expect(status).toBe(200);
  expect(headers.get('content-range')).toBeNull();
  expect(bytes.equals(CONTENT)).toBe(true);
}
