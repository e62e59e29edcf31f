import { once } from 'node:events';
import type { Socket } from 'node:net';
import { linksOf, pushFiles } from '../support/files.js';
import { forEachTest } from '../support/for-tests.js';
import { connectTo, requestBytes } from '../support/plain-socket.js';
import { startApp } from '../support/start-app.js';

const SOON_MS = 500;
/** More than the buffers between client and server can hold. */
const MUCH = Buffer.alloc(40_000_000, 'tulip');

describe('A client that', () => {
  const running = forEachTest(() => startApp({ FILES_REQUIRE_AUTHENTICATION: 'false' }));
  const server = () => running.app.getHttpServer();

  const send = (...head: string[]): Socket => {
    const socket = connectTo(running.url);
    socket.write(requestBytes(head));
    return socket;
  };
  /** Everything that the server sends until it closes the connection. */
  const receivedUntilClose = async (socket: Socket): Promise<string> => {
    let received = '';
    socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
    await once(socket, 'close');
    return received;
  };

  it('is slow has the documented timeouts', () => {
    expect(server()).toMatchObject({
      headersTimeout: 60_000,
      timeout: 30_000,
      keepAliveTimeout: 75_000,
      requestTimeout: 3_000_000,
    });
  });

  it('does not finish its headers gets an error and is disconnected', async () => {
    Object.assign(server(), { headersTimeout: SOON_MS, connectionsCheckingInterval: 100 });
    server().emit('listening'); // Node.js reads the interval then
    const socket = connectTo(running.url);
    socket.write('GET /api/v2/version HTTP/1.1\r\nHost: a\r\n');
    const drip = setInterval(() => socket.write('X-Drip: 1\r\n'), 50);

    const received = await receivedUntilClose(socket);
    clearInterval(drip);
    expect(received).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(received).toMatch(/\{"error":"The request cannot be read: Request Timeout\."\}$/);
  });

  it.each(['/users/sign_in', '/users/sign_up'])(
    'does not finish a form for %s is disconnected',
    async (path) => {
      server().timeout = SOON_MS;
      const socket = send(
        `POST ${path} HTTP/1.1`,
        'Host: a',
        'Content-Type: application/x-www-form-urlencoded',
        'Content-Length: 1000',
      );

      expect(await receivedUntilClose(socket)).toBe('');
    },
  );

  it('does not read a file is disconnected, and the operating system keeps no data of it', async () => {
    const { url_token } = await pushFiles(running.anonymous, [{ name: 'large', content: MUCH }]);
    const [url = ''] = await linksOf(running.anonymous, url_token);
    server().timeout = SOON_MS;
    const closed = once(server(), 'connection').then(([socket]) => once(socket as Socket, 'close'));
    const reader = send(`GET ${new URL(url).pathname} HTTP/1.1`, 'Host: a');
    reader.pause();

    await closed;
    reader.resume();
    await expect(once(reader, 'close')).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it('sends nothing more is disconnected', async () => {
    server().keepAliveTimeout = SOON_MS;
    const socket = send('GET /api/v2/version HTTP/1.1', 'Host: a');

    expect(await receivedUntilClose(socket)).toMatch(/^HTTP\/1\.1 200 OK/);
  });

  it('sends nothing at all is disconnected', async () => {
    server().timeout = SOON_MS;

    expect(await receivedUntilClose(connectTo(running.url))).toBe('');
  });

  it('reads slowly gets the complete response', async () => {
    const { url_token } = await pushFiles(running.anonymous, [{ name: 'large', content: MUCH }]);
    const [url = ''] = await linksOf(running.anonymous, url_token);
    server().timeout = 4 * SOON_MS;
    const reader = send(`GET ${new URL(url).pathname} HTTP/1.1`, 'Host: a', 'Connection: close');
    let bytes = 0;
    let rests = 0;
    reader.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (rests >= 12 || bytes < (rests + 1) * 2_500_000) return;
      rests += 1;
      reader.pause();
      setTimeout(() => reader.resume(), SOON_MS / 2);
    });
    await once(reader, 'close');

    expect(rests).toBe(12);
    expect(bytes).toBeGreaterThan(MUCH.length);
  });
});
