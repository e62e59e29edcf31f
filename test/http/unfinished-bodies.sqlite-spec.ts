import { once } from 'node:events';
import type { Socket } from 'node:net';
import { BodiesInProgress } from '../../src/platform/http/body/bodies-in-progress.js';
import { BodyReader } from '../../src/platform/http/body/body-reader.js';
import { eventually } from '../support/eventually.js';
import { linksOf, pushFiles } from '../support/files.js';
import { forEachTest } from '../support/for-tests.js';
import { connectTo, requestBytes } from '../support/plain-socket.js';
import { startApp } from '../support/start-app.js';
import { MIB, MINUTE_MS } from '../../src/platform/settings/units.js';

const JSON_TYPE = 'Content-Type: application/json';
const FORM_DATA = 'Content-Type: multipart/form-data; boundary=b';
const PUSH = '{"push":{"payload":"tulip"}}';
const BEGUN_FILE = '--b\r\nContent-Disposition: form-data; name="push[files][]"; filename="a"\r\n\r\nhello';

/** A request that is sent in parts, and the response received so far. */
class Begun {
  private received = '';

  private constructor(readonly socket: Socket) {
    socket.on('data', (chunk: Buffer) => (this.received += chunk.toString()));
    socket.on('error', () => undefined);
  }

  static async push(url: string, headers: string[], body = ''): Promise<Begun> {
    const socket = connectTo(url);
    await once(socket, 'connect');
    socket.write(requestBytes(['POST /api/v2/pushes HTTP/1.1', 'Host: a', ...headers], body));
    return new Begun(socket);
  }

  /** Of the response, or undefined. */
  get status(): number | undefined {
    const [, status] = /^HTTP\/1\.1 (\d+)/.exec(this.received) ?? [];
    return status === undefined ? undefined : Number(status);
  }

  get retryAfter(): number {
    return Number(/^retry-after: (\d+)$/im.exec(this.received)?.[1]);
  }
}

describe('Unfinished bodies', () => {
  // before the app stops, which waits for their requests
  afterEach(() => {
    for (const { socket } of begun) socket.destroy();
  });
  const running = forEachTest(() =>
    startApp({
      MAX_BODY_BYTES_IN_PROGRESS: String(34 * MIB),
      FILES_REQUIRE_AUTHENTICATION: 'false',
    }),
  );
  let begun: Begun[];
  const begin = async (headers: string[], body?: string) => {
    const request = await Begun.push(running.url, headers, body);
    begun.push(request);
    return request;
  };
  const bodies = () => running.app.get(BodiesInProgress);
  const statuses = () => begun.map(({ status }) => status);

  beforeEach(() => (begun = []));

  it('are limited to twenty of one network; further ones are rejected, but complete ones are not (L3)', async () => {
    for (let i = 0; i < 25; i++) {
      const isForm = i % 2 === 0;
      await begin(
        [isForm ? FORM_DATA : JSON_TYPE, `Content-Length: ${isForm ? 1000 : PUSH.length}`],
        isForm ? '--b\r\n' : PUSH.slice(0, 5),
      );
    }
    await eventually(() => Promise.resolve(bodies().count === 25));
    bodies().refuseOverdue();
    bodies().refuseOverdue();

    await eventually(() => Promise.resolve(statuses().filter(Boolean).length === 5));
    const refused = begun.filter(({ status }) => status !== undefined);
    expect(refused.map(({ status }) => status)).toEqual([429, 429, 429, 429, 429]);
    expect(refused[0]?.retryAfter).toBeGreaterThan(0);
    expect((await running.anonymous.push({ payload: 'tulip' })).url_token).toBeDefined();

    const [, unrefused] = begun.filter(({ status }) => status === undefined);
    unrefused?.socket.write(PUSH.slice(5));
    await eventually(() => Promise.resolve(unrefused?.status === 201));
    expect(bodies().count).toBe(19);
  });

  it('have a minute, plus a second for each 16 KiB, unless they have files (L3)', async () => {
    const short = await begin([JSON_TYPE, 'Content-Length: 1000'], '{');
    const form = await begin([FORM_DATA, 'Content-Length: 1000'], '--b\r\n');
    const long = await begin([JSON_TYPE, `Content-Length: ${MIB}`], '{');
    const file = await begin([FORM_DATA, `Content-Length: ${MIB}`], BEGUN_FILE);
    await eventually(() => Promise.resolve(bodies().count === 4));
    const now = performance.now();

    bodies().refuseOverdue(now + 55_000);
    expect(statuses()).toEqual([undefined, undefined, undefined, undefined]);
    bodies().refuseOverdue(now + 62_000);
    await eventually(() => Promise.resolve(short.status === 408 && form.status === 408));
    bodies().refuseOverdue(now + 60_000 + 63_000);
    expect(long.status).toBeUndefined();
    bodies().refuseOverdue(now + 60_000 + 66_000);
    await eventually(() => Promise.resolve(long.status === 408));

    expect(file.status).toBeUndefined();
    expect(bodies().count).toBe(1);
  });

  it('have a memory limit, without files, and free the memory afterwards (L3)', async () => {
    const nearly = 13 * MIB - 1;
    const spaces = ' '.repeat(nearly);
    const file = await begin([FORM_DATA, `Content-Length: ${30 * MIB}`], BEGUN_FILE + 'x'.repeat(20 * MIB));
    for (let i = 0; i < 2; i++) await begin([JSON_TYPE, `Content-Length: ${13 * MIB}`], spaces);
    const last = await begin([JSON_TYPE, `Content-Length: ${13 * MIB}`], spaces);

    await eventually(() => Promise.resolve(statuses().includes(503)));
    const refused = begun.find(({ status }) => status === 503);
    expect(refused?.retryAfter).toBeGreaterThan(0);
    expect(file.status).toBeUndefined();
    expect((await running.anonymous.push({ payload: 'tulip' })).url_token).toBeDefined();

    for (const request of begun.filter((one) => one !== last)) request.socket.destroy();
    last.socket.destroy();
    await eventually(() => Promise.resolve(bodies().count === 0));
    const again = await begin(
      [JSON_TYPE, 'Connection: close', `Content-Length: ${13 * MIB}`],
      PUSH + ' '.repeat(13 * MIB - PUSH.length),
    );
    await eventually(() => Promise.resolve(again.status === 201));
  });

  it('in small pieces are counted with the memory that they take (L3)', async () => {
    const pieces = `10\r\n${'a'.repeat(16)}\r\n`.repeat(300_000);
    const field = '--b\r\nContent-Disposition: form-data; name=a\r\n\r\n';
    const headers = [FORM_DATA, 'Transfer-Encoding: chunked'];
    const one = await begin(headers, `${field.length.toString(16)}\r\n${field}\r\n${pieces}`);

    await eventually(() => Promise.resolve(one.status === 503));
  });

  it('are refused although others were refused unread, whose responses wait behind a download (M13)', async () => {
    const { client } = await running.newUser();
    const { url_token } = await pushFiles(client, [{ name: 'a.bin', content: Buffer.alloc(30 * MIB) }]);
    const [url = ''] = await linksOf(running.anonymous, url_token);
    const read = jest.spyOn(running.app.get(BodyReader), 'multipart');
    const withoutBoundary = [
      ...['POST /api/v2/pushes HTTP/1.1', 'Host: a'],
      ...['Content-Type: multipart/form-data', 'Content-Length: 5'],
    ];
    const download = requestBytes([`GET ${new URL(url).pathname} HTTP/1.1`, 'Host: a']);
    const socket = connectTo(running.url).pause();
    socket.write(Buffer.concat([download, ...Array<Buffer>(9).fill(requestBytes(withoutBoundary, 'hello'))]));
    const slow = await begin([JSON_TYPE, 'Content-Length: 100'], PUSH);
    await eventually(() => read.mock.calls.length === 9 && bodies().count === 1);
    bodies().refuseOverdue(performance.now() + 2 * MINUTE_MS);

    await eventually(() => slow.status === 408);
    expect(bodies().count).toBe(0);
    socket.destroy();
  });
});
