import { Refusal } from '../../../platform/errors/refusal.js';
import { sourceAddress } from './source-address.js';

const FILE = 'package.json';
const CONTENT: unknown = expect.stringContaining('"name": "sealpush"');
const ANYONE = { rejectUnauthorized: false };
const BY_AUTHORITY = { ca: CONTENT, checkServerIdentity: expect.any(Function) as unknown };
const PG = 'postgresql://u:p@db.example.org/x';
const MY = 'mysql2://u:p@db.example.org/x';

describe('The URL of a database of PasswordPusher', () => {
  it.each(['postgres', 'postgresql', 'postgis'])('may be one of PostgreSQL: %s://', (scheme) => {
    expect(
      sourceAddress(
        `${scheme}://u%40:p%2F%25@db.example.org:5433/pw%20push?pool=5&prepared_statements=false`,
      ),
    ).toEqual({
      type: 'postgresql',
      address: expect.objectContaining({
        servers: [{ host: 'db.example.org', port: 5433 }],
        username: 'u@',
        password: 'p/%',
        database: 'pw push',
      }) as unknown,
      encryption: expect.any(Array) as unknown,
    });
  });

  it.each(['mysql', 'mysql2', 'trilogy', 'mariadb'])('may be one of MySQL: %s://', (scheme) => {
    expect(sourceAddress(`${scheme}://u:p@db.example.org/x?pool=5&encoding=utf8mb4`)).toMatchObject({
      type: 'mysql',
      address: {
        host: 'db.example.org',
        port: 3306,
        username: 'u',
        password: 'p',
        database: 'x',
        tls: false,
      },
      encryption: [false],
    });
  });

  it.each([
    [
      'postgres:///x?host=/var/run/postgresql&user=u',
      { servers: [{ host: '/var/run/postgresql', port: 5432 }], username: 'u', database: 'x' },
    ],
    ['postgres://u@%2Fvar%2Frun%2Fpostgresql/x', { servers: [{ host: '/var/run/postgresql', port: 5432 }] }],
    ['postgres://u@[::1]:5433/x', { servers: [{ host: '::1', port: 5433 }] }],
    [
      'postgres://u@/?dbname=x&port=5434&port=5435',
      { servers: [{ host: 'localhost', port: 5435 }], database: 'x' },
    ],
  ])('of PostgreSQL may have what libpq reads: %s', (url, address) => {
    expect(sourceAddress(url)).toMatchObject({ address });
  });

  it.each<[string, unknown[]]>([
    ['', [ANYONE, false]],
    ['sslmode=disable', [false]],
    ['sslmode=allow', [false, ANYONE]],
    ['sslmode=prefer', [ANYONE, false]],
    ['sslmode=require', [ANYONE]],
    [`sslmode=require&sslrootcert=${FILE}`, [BY_AUTHORITY]],
    [`sslmode=verify-ca&sslrootcert=${FILE}`, [BY_AUTHORITY]],
    ['sslmode=verify-full', [{}]],
    [`sslmode=verify-full&sslrootcert=${FILE}`, [{ ca: CONTENT }]],
    ['sslrootcert=system', [{}]],
    [`sslmode=require&sslcert=${FILE}&sslkey=${FILE}`, [{ ...ANYONE, cert: CONTENT, key: CONTENT }]],
    ['sslmode=disable&channel_binding=prefer&target_session_attrs=any&application_name=x', [false]],
  ])('encrypts connections to PostgreSQL as libpq does with "%s"', (query, encryption) => {
    expect(sourceAddress(`${PG}?${query}`).encryption).toEqual(encryption);
  });

  it.each<[string, unknown[]]>([
    ['', [false]],
    ['ssl_mode=disabled', [false]],
    ['ssl_mode=preferred', [ANYONE, false]],
    ['ssl_mode=required', [ANYONE]],
    ['ssl_mode=SSL_MODE_REQUIRED', [ANYONE]],
    [`ssl_mode=verify_ca&sslca=${FILE}`, [BY_AUTHORITY]],
    [`sslca=${FILE}`, [BY_AUTHORITY]],
    [`ssl_ca=${FILE}&ssl_mode=verify_identity`, [{ ca: CONTENT }]],
    ['sslverify=true', [{}]],
    ['tls=true', [{}]],
  ])('encrypts connections to MySQL as Rails does with "%s"', (query, encryption) => {
    expect(sourceAddress(`${MY}?${query}`).encryption).toEqual(encryption);
  });

  it.each([
    [`${PG}?sslmode=no-verify`, /an sslmode of disable, allow, prefer, require, verify-ca, verify-full/],
    [`${PG}?sslmode=verify-ca`, /must have sslrootcert with sslmode=verify-ca/],
    [`${PG}?sslmode=require&sslrootcert=system`, /sslmode=verify-full with sslrootcert=system/],
    [`${PG}?sslcert=${FILE}`, /both sslcert and sslkey/],
    [
      `${PG}?sslrootcert=/nowhere/ca.pem&sslmode=require`,
      /sslrootcert of --database names, \/nowhere\/ca.pem, cannot be read \(ENOENT\)/,
    ],
    [`${PG}?service=geheim`, /without service\.$/],
    [`${PG}?channel_binding=require`, /without channel_binding, or with channel_binding=prefer/],
    [`${PG}?target_session_attrs=read-write`, /without target_session_attrs/],
    [`${PG}?port=0`, /must look like postgresql:/],
    ['postgres://db/x', /must have the name of a user/],
    ['postgres://u:geheim@a:1,b:2/x', /must look like .*, with one host/],
    ['postgres://u:gehe%im@a/x', /percent signs written as %25/],
    [`${MY}?ssl_mode=geheim`, /an ssl_mode of disabled, preferred, required, verify_ca or verify_identity/],
    [`${MY}?socket=/geheim`, /must name a host, and no socket/],
    ['trilogy://u:geheim@', /must look like mysql:\/\/user:password@host:3306\/database/],
    ['oracle://u:geheim@db/x', /must look like sqlite:FILE/],
    ['geheim', /must look like sqlite:FILE/],
  ])('%s is refused in a sentence that shows no secret', (url, message) => {
    expect(() => sourceAddress(url)).toThrow(Refusal);
    expect(() => sourceAddress(url)).toThrow(message);
    expect(() => sourceAddress(url)).not.toThrow(/geheim/);
  });
});
