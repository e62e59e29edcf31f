import { makeCertificate } from '../support/certificate.js';
import { command } from '../support/command.js';
import { makeFolder } from '../support/folder.js';
import { forAllTests, forThisTest } from '../support/for-tests.js';
import { makeSqliteInstance } from '../support/instance.js';
import { PostgresServer } from '../support/postgres-server.js';
import { startApp } from '../support/start-app.js';

describe('A connection to a PostgreSQL server that encrypts', () => {
  const folder = forAllTests(makeFolder);
  const data = forAllTests(makeSqliteInstance);
  let server: PostgresServer;
  let authority: string;

  beforeAll(async () => {
    const { key, cert, authorityFile } = await makeCertificate(folder.path, 'localhost');
    authority = authorityFile;
    server = await PostgresServer.make('ssl=on');
    await server.writeFile('server.key', key);
    await server.writeFile('server.crt', cert);
    await server.start();
    await server.query('CREATE DATABASE sealpush');
  });
  afterAll(() => server.destroy());

  const urlOf = (host: string, parameters: string) =>
    `postgresql://postgres@${host}:${server.port}/sealpush?${parameters}`;
  const withUrl = (DATABASE_URL: string) => ({ ...data, env: { ...data.env, DATABASE_URL } });

  it.each([
    ['localhost', 'sslmode=verify-full&sslrootcert=CA', true],
    ['127.0.0.1', 'sslmode=verify-ca&sslrootcert=CA', true],
    ['127.0.0.1', 'sslmode=require', true],
    ['127.0.0.1', '', true],
    ['127.0.0.1', 'sslmode=allow', false],
    ['127.0.0.1', 'sslmode=disable', false],
  ])('at %s with %s is encrypted: %j', async (host, parameters, isEncrypted) => {
    const instance = withUrl(urlOf(host, parameters.replace('CA', authority)));
    const running = await forThisTest(startApp({}, { instance }));
    const sql = 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()';

    expect(await running.dataSource.query(sql)).toEqual([{ ssl: isEncrypted }]);
  });

  it.each([
    ['127.0.0.1', 'sslmode=verify-full&sslrootcert=CA', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['localhost', 'sslmode=verify-full', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['localhost', 'sslmode=verify-full&sslrootcert=system', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ])('at %s with %s is refused', async (host, parameters, code) => {
    const instance = withUrl(urlOf(host, parameters.replace('CA', authority)));
    const { code: exit, stderr } = await command(instance, ['pushes:purge']);

    expect(exit).toBe(1);
    expect(stderr).toBe(
      `sealpush: The database at ${host}:${server.port}/sealpush cannot be used (${code}).\n`,
    );
  });

  it('is refused in a sentence when the file of an authority cannot be read', async () => {
    const { stderr } = await command(withUrl(urlOf('localhost', 'sslrootcert=/none&sslmode=verify-ca')), [
      'pushes:purge',
    ]);

    expect(stderr).toBe(
      'sealpush: The file that sslrootcert of DATABASE_URL names, /none, cannot be read (ENOENT).\n',
    );
  });
});
