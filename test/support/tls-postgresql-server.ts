import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Certificate } from './certificate.js';

const SSL_REQUEST = 80_877_103;

/** What a server of PostgreSQL takes: connections with TLS, in clear, or both. */
export type Taken = 'encrypted' | 'clear' | 'both';

/** A server on localhost that leads to another one, and may take TLS. */
export interface TlsPostgresql {
  port: number;
  /** How the connections that it has passed on came. */
  passedOn: ('encrypted' | 'clear')[];
  stop(): Promise<void>;
}

export async function startTlsPostgresql(
  server: URL,
  { key, cert }: Certificate,
  taken: Taken,
): Promise<TlsPostgresql> {
  const sockets = new Set<Socket>();
  const passedOn: TlsPostgresql['passedOn'] = [];
  const passOn = (client: Socket, how: 'encrypted' | 'clear') => {
    passedOn.push(how);
    const upstream = connect(Number(server.port || 5432), server.hostname);
    sockets.add(upstream);
    for (const socket of [client, upstream]) socket.on('error', () => socket.destroy());
    client.pipe(upstream).pipe(client);
  };
  const proxy = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', (first: Buffer) => {
      const isRequest = first.length === 8 && first.readInt32BE(4) === SSL_REQUEST;
      if (isRequest && taken !== 'clear') {
        socket.write('S');
        const secured = new TLSSocket(socket, { isServer: true, key, cert });
        secured.on('error', () => socket.destroy());
        secured.once('secure', () => {
          passOn(secured, 'encrypted');
        });
      } else if (isRequest) {
        socket.write('N');
        socket.once('data', (startup: Buffer) => {
          socket.pause();
          socket.unshift(startup);
          passOn(socket, 'clear');
        });
      } else if (taken === 'encrypted') {
        socket.end(refusal());
      } else {
        socket.pause();
        socket.unshift(first);
        passOn(socket, 'clear');
      }
    });
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    port: (proxy.address() as AddressInfo).port,
    passedOn,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      proxy.close();
      await once(proxy, 'close');
    },
  };
}

/** What a server sends whose pg_hba.conf has only `hostssl`. */
function refusal(): Buffer {
  const fields = Buffer.from('SFATAL\0VFATAL\0C28000\0Mno pg_hba.conf entry, no encryption\0\0');
  const length = Buffer.alloc(4);
  length.writeInt32BE(fields.length + 4);
  return Buffer.concat([Buffer.from('E'), length, fields]);
}
