import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { connect } from 'node:net';
import { Pipelines, closeStalledConnections } from './connection-limits.js';

const TIMEOUT_MS = 300;
/** More than the buffers between client and server can hold. */
const MUCH = Buffer.alloc(40_000_000, 'tulip');

describe('A connection on which no bytes are sent or received', () => {
  let server: Server;
  let client: Socket;
  let answer: (response: ServerResponse) => void;

  beforeEach(async () => {
    answer = () => undefined;
    server = createServer((_request, response) => {
      answer(response);
    });
    server.timeout = TIMEOUT_MS;
    const pipelines = new Pipelines();
    pipelines.watch(server);
    closeStalledConnections(server, pipelines);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.on('error', () => undefined);
  });
  afterEach(async () => {
    client.destroy();
    server.closeAllConnections();
    await once(server.close(), 'close');
  });

  /** How many times the timeout has to pass until the server closes the connection. */
  const timeoutsUntilClosed = async () => {
    let timeouts = 0;
    server.prependListener('timeout', () => (timeouts += 1));
    const [socket] = (await once(server, 'connection')) as [Socket];
    await once(socket, 'close');
    return timeouts;
  };

  it('is closed at the first timeout if there was no request', async () => {
    expect(await timeoutsUntilClosed()).toBe(1);
  });

  it('is closed at the second timeout while a handler is slow', async () => {
    client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');

    expect(await timeoutsUntilClosed()).toBe(2);
  });

  it('is closed at the second timeout while a body is incomplete', async () => {
    client.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\ntul');

    expect(await timeoutsUntilClosed()).toBe(2);
  });

  it('is reset at the first timeout if the client does not read a response (L7)', async () => {
    answer = (response) => response.end(MUCH);
    client.pause();
    client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');

    expect(await timeoutsUntilClosed()).toBe(1);
    client.resume();
    await expect(once(client, 'end')).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it('stays open for a handler that responds after the first timeout', async () => {
    answer = (response) => server.once('timeout', () => response.end('tulip'));
    client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');

    expect(String((await once(client, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 OK/);
  });
});
