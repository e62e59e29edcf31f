import { rm } from 'node:fs/promises';
import { SourceDatabase } from './source/source-database.js';
import type { Certificate } from '../../../test/support/certificate.js';
import { makeCertificate } from '../../../test/support/certificate.js';
import type { Instance } from '../../../test/support/instance.js';
import { makeSqliteInstance } from '../../../test/support/instance.js';
import type { PasswordPusher } from '../../../test/support/passwordpusher.js';
import { makePasswordPusher, SOURCES } from '../../../test/support/passwordpusher.js';
import type { Taken, TlsPostgresql } from '../../../test/support/tls-postgresql-server.js';
import { startTlsPostgresql } from '../../../test/support/tls-postgresql-server.js';

const ifThereIs = (name: 'postgresql' | 'mysql') => (SOURCES.includes(name) ? describe : describe.skip);

ifThereIs('postgresql')('A PostgreSQL of PasswordPusher with TLS', () => {
  let source: PasswordPusher;
  let instance: Instance;
  let certificates: { localhost: Certificate; elsewhere: Certificate };
  let server: TlsPostgresql;
  const warnings: Error[] = [];
  const noteWarning = (warning: Error) => warnings.push(warning);

  beforeAll(async () => {
    process.on('warning', noteWarning);
    source = await makePasswordPusher('postgresql');
    instance = await makeSqliteInstance();
    certificates = {
      localhost: await makeCertificate(instance.dataDir, 'localhost'),
      elsewhere: await makeCertificate(instance.dataDir, 'elsewhere.example.org'),
    };
  });
  afterAll(async () => {
    process.off('warning', noteWarning);
    await rm(instance.dataDir, { recursive: true });
    await source.destroy();
  });
  afterEach(() => server.stop());

  /** How the connection came that was used, or why there is none. */
  async function connecting(
    taken: Taken,
    query: string,
    certificate: keyof typeof certificates = 'localhost',
  ) {
    server = await startTlsPostgresql(new URL(source.url), certificates[certificate], taken);
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
    await server.stop();
    expect(await connecting('both', `sslmode=require&${authority('localhost')}`, 'elsewhere')).toMatch(
      NOT_OPENED,
    );
    expect(server.passedOn).toEqual([]);
  });

  it('is used with sslmode=verify-ca whatever the host in its certificate', async () => {
    expect(await connecting('both', `sslmode=verify-ca&${authority('elsewhere')}`, 'elsewhere')).toBe(
      'encrypted',
    );
    await server.stop();
    expect(await connecting('both', `sslmode=verify-ca&${authority('localhost')}`, 'elsewhere')).toMatch(
      NOT_OPENED,
    );
    expect(server.passedOn).toEqual([]);
  });

  it('is used with sslmode=verify-full only with a certificate for its host (G2)', async () => {
    expect(await connecting('both', `sslmode=verify-full&${authority('localhost')}`)).toBe('encrypted');
    await server.stop();
    expect(await connecting('both', `sslmode=verify-full&${authority('elsewhere')}`, 'elsewhere')).toMatch(
      NOT_OPENED,
    );
    expect(server.passedOn).toEqual([]);
    await server.stop();
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
    const source = await makePasswordPusher('mysql');
    const url = `${source.url.replace(/^\w+/, scheme)}?ssl_mode=preferred&pool=5`;
    const database = await SourceDatabase.open(url, true);
    const count = await database.countPushes();
    await database.close();
    await source.destroy();

    expect(count).toBe(316);
  });
});
