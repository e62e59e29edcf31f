import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { TLSSocket } from 'node:tls';
import { SourceDatabase } from './source/source-database.js';
import type { Certificate } from '../../../test/support/certificate.js';
import { makeCertificate } from '../../../test/support/certificate.js';
import { makeFolder } from '../../../test/support/folder.js';
import { forAllTests, forThisTest } from '../../../test/support/for-tests.js';
import { makePasswordPusher, SOURCES } from '../../../test/support/passwordpusher.js';

const SSL_REQUEST = 80_877_103;

/** What a server of PostgreSQL takes: connections with TLS, in clear, or both. */
type Taken = 'encrypted' | 'clear' | 'both';

/** A server on localhost that leads to another one, and may take TLS. */
interface TlsPostgresql {
  port: number;
  /** How the connections that it has passed on came. */
  passedOn: ('encrypted' | 'clear')[];
  stop(): Promise<void>;
}

async function startTlsPostgresql(
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

const ifThereIs = (name: 'postgresql' | 'mysql') => (SOURCES.includes(name) ? describe : describe.skip);

ifThereIs('postgresql')('A PostgreSQL of PasswordPusher with TLS', () => {
  const source = forAllTests(() => makePasswordPusher('postgresql'));
  const folder = forAllTests(makeFolder);
  let certificates: { localhost: Certificate; elsewhere: Certificate };
  let server: TlsPostgresql;
  const warnings: Error[] = [];
  const noteWarning = (warning: Error) => warnings.push(warning);

  beforeAll(async () => {
    process.on('warning', noteWarning);
    certificates = {
      localhost: await makeCertificate(folder.path, 'localhost'),
      elsewhere: await makeCertificate(folder.path, 'elsewhere.example.org'),
    };
  });
  afterAll(() => process.off('warning', noteWarning));

  /** How the connection came that was used, or why there is none. */
  async function connecting(
    taken: Taken,
    query: string,
    certificate: keyof typeof certificates = 'localhost',
  ) {
    server = await forThisTest(startTlsPostgresql(new URL(source.url), certificates[certificate], taken));
    const url = new URL(source.url);
    url.host = `localhost:${server.port}`;
    url.search = query;
    try {
      const database = await SourceDatabase.open(url.href, true);
      expect(await database.countPushes()).toBe(316);
      await database.close();
      return server.passedOn.at(-1);
    } catch (error) {
      return (error as Error).message;
    }
  }
  const authority = (name: keyof typeof certificates) => `sslrootcert=${certificates[name].authorityFile}`;
  const NOT_OPENED = /^The database of PasswordPusher cannot be opened \(.+\)\.$/;

  it.each<[string, Taken, string]>([
    ['', 'both', 'encrypted'],
    ['', 'clear', 'clear'],
    ['sslmode=disable', 'both', 'clear'],
    ['sslmode=allow', 'both', 'clear'],
    ['sslmode=allow', 'encrypted', 'encrypted'],
    ['sslmode=prefer', 'both', 'encrypted'],
    ['sslmode=prefer', 'clear', 'clear'],
    ['sslmode=prefer', 'encrypted', 'encrypted'],
    ['sslmode=require', 'both', 'encrypted'],
  ])('is used with "%s" if it takes %s: %s', async (query, taken, how) => {
    expect(await connecting(taken, query)).toBe(how);
    expect(warnings).toEqual([]);
  });

  it('is used with sslmode=require whatever its certificate, unless sslrootcert is given', async () => {
    expect(await connecting('both', 'sslmode=require', 'elsewhere')).toBe('encrypted');
    expect(await connecting('both', `sslmode=require&${authority('localhost')}`, 'elsewhere')).toMatch(
      NOT_OPENED,
    );
    expect(server.passedOn).toEqual([]);
  });

  it('is used with sslmode=verify-ca whatever the host in its certificate', async () => {
    expect(await connecting('both', `sslmode=verify-ca&${authority('elsewhere')}`, 'elsewhere')).toBe(
      'encrypted',
    );
    expect(await connecting('both', `sslmode=verify-ca&${authority('localhost')}`, 'elsewhere')).toMatch(
      NOT_OPENED,
    );
    expect(server.passedOn).toEqual([]);
  });

  it('is used with sslmode=verify-full only with a certificate for its host (G2)', async () => {
    expect(await connecting('both', `sslmode=verify-full&${authority('localhost')}`)).toBe('encrypted');
    expect(await connecting('both', `sslmode=verify-full&${authority('elsewhere')}`, 'elsewhere')).toMatch(
      NOT_OPENED,
    );
    expect(server.passedOn).toEqual([]);
    expect(await connecting('both', 'sslmode=verify-full')).toMatch(NOT_OPENED);
    expect(server.passedOn).toEqual([]);
  });

  it.each<[string, Taken]>([
    ['sslmode=require', 'clear'],
    ['sslmode=disable', 'encrypted'],
  ])('is not used with "%s" if it takes only %s', async (query, taken) => {
    expect(await connecting(taken, query)).toMatch(NOT_OPENED);
    expect(server.passedOn).toEqual([]);
  });
});

ifThereIs('mysql')('A MySQL of PasswordPusher', () => {
  it.each(['trilogy', 'mysql2'])('is used with a URL as Rails writes it: %s://', async (scheme) => {
    const source = await forThisTest(makePasswordPusher('mysql'));
    const url = `${source.url.replace(/^\w+/, scheme)}?ssl_mode=preferred&pool=5`;
    const database = await SourceDatabase.open(url, true);
    const count = await database.countPushes();
    await database.close();

    expect(count).toBe(316);
  });
});
