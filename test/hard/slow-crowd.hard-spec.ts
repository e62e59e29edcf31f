import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { tally } from '../support/audit.js';
import { eventually } from '../support/eventually.js';
import { linksOf, pushFiles } from '../support/files.js';
import { freePort } from '../support/free-port.js';
import type { Place } from '../support/place.js';
import { makePlace } from '../support/place.js';
import type { SpawnedServer } from '../support/spawn-server.js';
import { spawnServer } from '../support/spawn-server.js';
import { amount } from './support/amount.js';
import { mostAllowed, paceOf, percentile } from './support/pace.js';

const EACH = amount({ full: 200, short: 40 });
const MEBIBYTE = 1024 * 1024;
const CONTENT = Buffer.alloc(8 * MEBIBYTE, 'tulip');
/** A reader has a minute twice: what the system has taken since the last write passes for progress. */
const CUT_OFF_AFTER_MS = 130_000;
const JSON_TYPE = 'Content-Type: application/json';
const LONG = 'Content-Length: 1000000';

describe('Clients that are slow, of five kinds at once,', () => {
  let place: Place;
  let server: SpawnedServer;
  let metricsPort: number;

  beforeEach(async () => {
    place = await makePlace();
    metricsPort = await freePort();
    server = await spawnServer(place, {
      FILES_REQUIRE_AUTHENTICATION: 'false',
      EXPIRE_AFTER_VIEWS_MAX: '1000000',
      METRICS_PORT: String(metricsPort),
    });
  });
  afterEach(async () => {
    await server.stop();
    await place.destroy();
  });

  it('keep nobody from being served, are cut off, and leave no memory taken (F2)', async () => {
    const { url_token: files } = await pushFiles(server.anonymous, [{ name: 'large', content: CONTENT }]);
    const [url = ''] = await linksOf(server.anonymous, files);
    const post = (path: string, type: string, begun: string) =>
      `POST ${path} HTTP/1.1\r\nHost: a\r\n${type}\r\n${LONG}\r\n\r\n${begun}`;
    const boundary = 'Content-Type: multipart/form-data; boundary=b';
    const part = '--b\r\nContent-Disposition: form-data; name="push[files][]"; filename="a"\r\n\r\nhello';
    const kinds = {
      headers: 'GET /api/v2/version HTTP/1.1\r\nHost: a\r\nX-Begun: ',
      json: post('/api/v2/pushes', JSON_TYPE, '{"push":'),
      multipart: post('/api/v2/pushes', boundary, part),
      idle: 'GET /api/v2/version HTTP/1.1\r\nHost: a\r\n\r\n',
      unread: `GET ${new URL(url).pathname} HTTP/1.1\r\nHost: a\r\n\r\n`,
    };
    await retrievalTimes(2000); // so that it is warm
    const quiet = await retrievalTimes(5000);
    const before = await memoryUsed();

    const clients = await Promise.all(
      Object.entries(kinds).flatMap(([kind, bytes]) =>
        Array.from({ length: EACH }, async () => ({ kind, socket: await slowClient(kind, bytes) })),
      ),
    );
    const cutOffBy = performance.now() + CUT_OFF_AFTER_MS;
    await settled();
    const p99 = percentile(await retrievalTimes(5000), 99);
    const during = await memoryUsed();
    console.log({ clients: 5 * EACH, p99, perUnread: Math.round((during - before) / EACH) });

    expect(p99).toBeLessThan(mostAllowed(quiet));

    const stillThere = async () => {
      const ports = await connectedPorts();
      return clients.filter(({ socket }) => ports.has(socket.localPort ?? 0)).map(({ kind }) => kind);
    };
    let left = await stillThere();
    while (left.length > 0 && performance.now() < cutOffBy) {
      await setTimeout(1000);
      left = await stillThere();
    }
    expect(tally(left)).toEqual({});
    await eventually(async () => {
      // gives reason to collect garbage
      for (let i = 0; i < 20; i++) await server.anonymous.push({ payload: 'x'.repeat(MEBIBYTE) });
      return (await memoryUsed()) < before + 30 * MEBIBYTE;
    });
  });

  const retrievalTimes = async (milliseconds: number) => {
    const { url_token } = await server.anonymous.push({ payload: 'rose', expire_after_views: 1_000_000 });
    const endsAt = performance.now() + milliseconds;
    return paceOf(
      async () => {
        if ((await server.anonymous.retrieve(url_token)).body.payload !== 'rose')
          throw new Error('not served');
      },
      () => performance.now() > endsAt,
    );
  };

  /** Sends so much and no more. */
  const slowClient = async (kind: string, bytes: string): Promise<Socket> => {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(bytes);
    if (kind !== 'unread') socket.resume();
    return socket;
  };

  /** The ports of those whom the server is connected with. A client that reads nothing does not see its own end. */
  const connectedPorts = async () => {
    const ESTABLISHED = '01';
    const rows = (await readFile('/proc/net/tcp', 'utf8')).split('\n').map((row) => row.trim().split(/\s+/));
    const portOf = (address = '') => parseInt(address.split(':')[1] ?? '', 16);
    const ours = rows.filter(
      ([, local, , state]) => state === ESTABLISHED && portOf(local) === Number(new URL(server.url).port),
    );
    return new Set(ours.map(([, , remote]) => portOf(remote)));
  };

  /** Waits until all have got as far as they want: that is work for the server, and others wait for it. */
  const settled = async () => {
    let last = 0;
    await eventually(async () => {
      const before = last;
      await setTimeout(1000);
      last = await memoryUsed();
      return Math.abs(last - before) < 16 * MEBIBYTE;
    });
  };

  /** What the process holds itself; what it has freed can stay with its allocator. */
  const memoryUsed = async () => {
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    const bytesOf = (name: string) => Number(new RegExp(`^${name} (\\d+)`, 'm').exec(metrics)?.[1]);
    return bytesOf('nodejs_heap_size_used_bytes') + bytesOf('nodejs_external_memory_bytes');
  };
});
