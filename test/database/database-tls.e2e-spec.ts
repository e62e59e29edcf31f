import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { createServer } from 'node:net';
import { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { forAllTests } from '../support/for-tests.js';
import { makeSqliteInstance } from '../support/instance.js';
import { cli } from '../support/spawn-server.js';
import { makeCertificate } from '../support/certificate.js';

/** The packet header in MySQL's protocol: a length of three bytes and a sequence number. */
const HEADER_BYTES = 4;

/** Implements enough of a MySQL server to see whether a client trusts its certificate. */
interface TlsServer {
  port: number;
  /** The CA file for its certificate. */
  authorityFile: string;
  /** Bytes it received over TLS: the client's user name and password response. */
  bytesTold(): number;
  stop(): Promise<void>;
}

/** Starts a server on localhost with a certificate for `host`. */
async function startTlsServer(folder: string, host: string): Promise<TlsServer> {
  const { key, cert, authorityFile } = await makeCertificate(folder, host);
  let received = 0;

  const server = createServer((socket: Socket) => {
    socket.on('error', () => undefined);
    socket.write(greeting());
    socket.once('data', (first: Buffer) => {
      socket.unshift(first.subarray(HEADER_BYTES + first.readUIntLE(0, 3))); // TLS may have begun in the same packet
      const stream = Duplex.from({ readable: socket, writable: socket });
      const secured = new TLSSocket(stream, { isServer: true, key, cert });
      secured.on('error', () => undefined);
      secured.on('data', ({ length }: Buffer) => {
        received += length;
        secured.destroy();
      });
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    port: (server.address() as AddressInfo).port,
    authorityFile,
    bytesTold: () => received,
    stop: async () => {
      server.close();
      await once(server, 'close');
    },
  };
}

/** The server's first packet, which offers TLS: HandshakeV10 in MySQL's protocol. */
function greeting(): Buffer {
  const payload = Buffer.concat([
    Buffer.from('\x0a9.0.0\0'), // protocol and version
    Buffer.alloc(4), // connection id
    Buffer.alloc(8, 'a'), // first part of the challenge
    Buffer.from([0, 0xff, 0xff, 0xff, 2, 0, 0xff, 0xdf, 21]), // capabilities with TLS, character set, status
    Buffer.alloc(10),
    Buffer.from('aaaaaaaaaaaa\0mysql_native_password\0'),
  ]);
  return Buffer.concat([Buffer.from([payload.length, 0, 0, 0]), payload]);
}

describe('DATABASE_URL with tls=true', () => {
  const instance = forAllTests(makeSqliteInstance);
  const ours = forAllTests(() => startTlsServer(instance.dataDir, 'localhost'));
  const elsewhere = forAllTests(() => startTlsServer(instance.dataDir, 'elsewhere.example.org'));

  it('sends the login to a server with a matching certificate', async () => {
    await expect(connectTo(ours, ours.authorityFile)).rejects.toMatchObject({
      stderr: expect.stringMatching(/PROTOCOL_CONNECTION_LOST/), // the test server only closes the connection
    });

    expect(ours.bytesTold()).toBeGreaterThan(0);
  });

  it('sends nothing to a server with a certificate from an unknown issuer (G2)', async () => {
    await expect(connectTo(elsewhere)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/cannot be used/),
    });

    expect(elsewhere.bytesTold()).toBe(0);
  });

  it('sends nothing to a server with a certificate for another host (G2)', async () => {
    await expect(connectTo(elsewhere, elsewhere.authorityFile)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/cannot be used/),
    });

    expect(elsewhere.bytesTold()).toBe(0);
  });

  function connectTo({ port }: TlsServer, authorityFile?: string): Promise<unknown> {
    const env: Record<string, string> = {
      DATA_DIR: instance.dataDir,
      DATABASE_URL: `mysql://me:secret@localhost:${port}/sealpush?tls=true`,
    };
    if (authorityFile !== undefined) env.NODE_EXTRA_CA_CERTS = authorityFile;
    return cli({ ...instance, env }, 'migration:run');
  }
});
