import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { promisify } from 'node:util';
import { text } from 'node:stream/consumers';
import { eventually } from '../support/eventually.js';
import { forAllTests } from '../support/for-tests.js';
import { connectTo, requestBytes } from '../support/plain-socket.js';
import { startApp } from '../support/start-app.js';
import { MIB } from '../../src/platform/settings/units.js';

/** Six bytes of JSON for each. */
const PAYLOAD = 'a' + '\u0001'.repeat(MIB - 1);
const READERS = 30;
/** Half of 64 MiB, in responses of 6 MiB. */
const MAX_OF_NETWORK = 5;

describe('Responses of megabytes that clients do not read', () => {
  const running = forAllTests(() =>
    startApp({ TRUSTED_PROXIES: '127.0.0.1', EXPIRE_AFTER_VIEWS_MAX: '1000000' }),
  );
  let path: string;
  let sockets: Socket[];
  let server: Server;
  let arrived: number;

  beforeAll(async () => {
    const push = await running.anonymous.push({ payload: PAYLOAD, expire_after_views: 1_000_000 });
    path = `/api/v2/pushes/${push.url_token}`;
    server = running.app.getHttpServer();
    server.on('request', () => (arrived += 1));
  });
  beforeEach(() => {
    sockets = [];
    arrived = 0;
    server.closeIdleConnections();
  });
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    await eventually(async () => (await connections()) === 0);
  });

  const connections = () => promisify(server.getConnections.bind(server))();
  /** Waits until `requests` requests have arrived and at most `max` connections are open. */
  const areLeft = (max: number, requests: number) =>
    eventually(async () => arrived >= requests && (await connections()) <= max);
  /** Sends requests and does not read yet. */
  const ask = async (address: string, count = 1) => {
    const socket = connectTo(running.url);
    socket.pause();
    sockets.push(socket);
    await once(socket, 'connect');
    const request = requestBytes([`GET ${path} HTTP/1.1`, 'Host: a', `X-Forwarded-For: ${address}`]);
    socket.write(request.toString().repeat(count));
    return socket;
  };

  it('are dropped except for a few of each client network, and other clients still get theirs (L7)', async () => {
    const honest = await ask('192.0.2.1');
    for (let i = 0; i < READERS; i++) await ask('192.0.2.2');

    await areLeft(MAX_OF_NETWORK + 1, READERS + 1);
    honest.end();
    const [, body = ''] = (await text(honest)).split('\r\n\r\n');
    expect(JSON.parse(body).payload).toBe(PAYLOAD);
  });

  it('are dropped if all networks together have too many (L7)', async () => {
    for (let i = 0; i < READERS; i++) await ask(`192.0.2.${i}`);

    await areLeft(2 * MAX_OF_NETWORK, READERS);
  });

  it('are dropped if they are pipelined on one connection (L7)', async () => {
    await ask('192.0.2.3', MAX_OF_NETWORK + 1);

    await areLeft(0, MAX_OF_NETWORK + 1);
  });
});
