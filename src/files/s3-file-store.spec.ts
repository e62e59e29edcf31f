import dns from 'node:dns';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { HostilePeer } from '../../test/support/hostile-peer.js';
import { BUFFERED_BYTES, drip, flood, startHostilePeer } from '../../test/support/hostile-peer.js';
import { S3FileStore } from './s3-file-store.js';

const KEY = 'a'.repeat(48);
const LENGTH = 100;
const MAX_WAIT_MS = 1000;

type Use = (store: S3FileStore) => Promise<unknown>;

const readAll: Use = async (store) => {
  const bytes = await store.read(KEY, { start: 0, end: LENGTH - 1 });
  return Buffer.concat((await bytes.toArray()) as Buffer[]).toString();
};

const OPERATIONS: [string, Use][] = [
  ['read', readAll],
  ['stored', (store) => store.put(KEY, Readable.from([Buffer.alloc(LENGTH)]))],
  ['removed', (store) => store.remove(KEY)],
  ['listed', (store) => Readable.from(store.list()).toArray()],
  ['looked for', (store) => store.abortIncompleteUploads(new Date(), noStates)],
];

const noStates = () => Promise.resolve([]);

describe('An S3 server', () => {
  let peer: HostilePeer;

  afterEach(() => peer.stop());

  const using = async (use: Use, behave: (socket: Socket) => void, maxWaitMs?: number) => {
    peer = await startHostilePeer(behave);
    const store = new S3FileStore(
      {
        endpoint: `http://127.0.0.1:${peer.port}`,
        bucket: 'files',
        region: 'us-east-1',
        accessKeyId: 'id',
        secretAccessKey: 'key',
      },
      maxWaitMs,
    );
    return use(store);
  };
  const expectLittleRead = async () => {
    await peer.stop();
    expect(peer.sentBytes()).toBeLessThan(3 * BUFFERED_BYTES); // the SDK tries three times
  };

  it.each(OPERATIONS)(
    'whose interim responses do not end is given up when files are %s (M6)',
    async (_done, use) => {
      await expect(using(use, flood('HTTP/1.1 103 Early Hints\r\n\r\n'))).rejects.toThrow();
      await expectLittleRead();
    },
  );

  it.each(OPERATIONS)('whose errors do not end is given up when files are %s (M6)', async (_done, use) => {
    await expect(using(use, flood('<Error>', 'HTTP/1.1 403 Forbidden\r\n\r\n'))).rejects.toThrow();
    await expectLittleRead();
  });

  it.each(OPERATIONS)('whose responses do not end is given up when files are %s (M6)', async (_done, use) => {
    await expect(using(use, flood('<Contents>', 'HTTP/1.1 200 OK\r\n\r\n'))).rejects.toThrow();
    await expectLittleRead();
  });

  it.each([
    ['error', 'HTTP/1.1 403 Forbidden\r\n\r\n'],
    ['object', `HTTP/1.1 206 Partial Content\r\nContent-Length: 1000000\r\n\r\n`],
  ])('that sends an %s byte by byte is given up after some time (M6)', async (_what, head) => {
    const use: Use = (store) => store.read(KEY, { start: 0, end: 999_999 }).then((bytes) => bytes.toArray());

    await expect(using(use, drip(head), MAX_WAIT_MS)).rejects.toThrow();
  });

  it.each([
    ['longer', LENGTH + 1],
    ['shorter', LENGTH - 1],
  ])('that sends a %s object than is stored causes an error (M6)', async (what, length) => {
    const response = `HTTP/1.1 206 Partial Content\r\nContent-Length: ${length}\r\n\r\n${'a'.repeat(length)}`;

    await expect(using(readAll, (socket) => socket.write(response))).rejects.toThrow(what);
  });

  it('that sends exactly what is stored is read', async () => {
    const content = 'a'.repeat(LENGTH);
    const response = `HTTP/1.1 206 Partial Content\r\nContent-Length: ${LENGTH}\r\n\r\n${content}`;

    expect(await using(readAll, (socket) => socket.write(response))).toBe(content);
  });

  it('whose errors have document types, for which the SDK takes long, is given up (M6)', async () => {
    const response = `HTTP/1.1 403 Forbidden\r\n\r\n${'<!DocType>'.repeat(5000)}`;

    await expect(using(readAll, (socket) => socket.end(response))).rejects.toMatchObject({
      cause: { message: 'The response has a document type.' },
    });
  });
});

describe('A request to an S3 server', () => {
  it.each([
    ['in the path by default', {}, `PUT /files/${KEY}?`, 'localhost'],
    ['in the host if S3_PATH_STYLE is false', { pathStyle: false }, `PUT /${KEY}?`, 'files.localhost'],
    ['before its folder', { prefix: 'team/a' }, `PUT /files/team/a/${KEY}?`, 'localhost'],
  ])('names the bucket %s', async (_where, more, path, host) => {
    let received = '';
    const answer = (socket: Socket) =>
      socket.on('data', (bytes: Buffer) => {
        received += bytes.toString('latin1');
        socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n');
      });
    const peer = await startHostilePeer(answer, { greets: true });
    const lookup = jest.spyOn(dns, 'lookup').mockImplementation(((
      _name: string,
      options: object,
      done: (...results: unknown[]) => void,
    ) => {
      done(null, 'all' in options && options.all ? [{ address: '127.0.0.1', family: 4 }] : '127.0.0.1', 4);
    }) as never);
    const address = {
      bucket: 'files',
      region: 'us-east-1',
      accessKeyId: 'id',
      secretAccessKey: 'key',
      ...more,
    };
    const store = new S3FileStore({ endpoint: `http://localhost:${peer.port}`, ...address });
    await store.put(KEY, Readable.from([Buffer.alloc(LENGTH)])).catch(() => undefined);
    lookup.mockRestore();
    await peer.stop();

    expect(received).toContain(path);
    expect(received).toContain(`${host}:${peer.port}\r\n`);
  });
});
