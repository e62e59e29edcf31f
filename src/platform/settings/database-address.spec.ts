import type { PostgresAddress } from './database-address.js';
import { databaseUrl, isPostgresAddress, showDatabaseUrl } from './database-address.js';

describe('The address of a PostgreSQL database', () => {
  const plain = {
    servers: [{ host: 'db', port: 5432 }],
    username: 'u',
    password: '',
    database: 'push',
    encryption: { sslmode: 'prefer' },
    applicationName: 'sealpush',
  };
  const cases: [string, object][] = [
    ['postgresql://u@db/push', {}],
    ['postgres://u:pw@db:5433/push', { password: 'pw', servers: [{ host: 'db', port: 5433 }] }],
    ['postgresql://u:p%40s%2Fs%3A%25%C3%BC@db/my%20push', { password: 'p@s/s:%ü', database: 'my push' }],
    ['postgresql://u@[::1]:5432/push', { servers: [{ host: '::1', port: 5432 }] }],
    ['postgresql://u@/push', { servers: [{ host: 'localhost', port: 5432 }] }],
    [
      'postgresql:///push?host=/run/postgresql&user=u',
      { servers: [{ host: '/run/postgresql', port: 5432 }] },
    ],
    ['postgresql://u@%2Frun%2Fpostgresql/push', { servers: [{ host: '/run/postgresql', port: 5432 }] }],
    [
      'postgresql://u@a,b:5433,[::2]/push?port=5434',
      {
        servers: [
          { host: 'a', port: 5434 },
          { host: 'b', port: 5433 },
          { host: '::2', port: 5434 },
        ],
      },
    ],
    [
      'postgresql://u@a,b/push?port=1,2&target_session_attrs=read-write',
      {
        servers: [
          { host: 'a', port: 1 },
          { host: 'b', port: 2 },
        ],
      },
    ],
    ['postgresql://db?user=u&dbname=push&password=a%26b', { password: 'a&b' }],
    [
      'postgresql://u@db/push?sslmode=verify-ca&sslrootcert=/ca.pem&sslcert=/c.pem&sslkey=/k.pem',
      {
        encryption: {
          sslmode: 'verify-ca',
          sslrootcert: '/ca.pem',
          sslcert: '/c.pem',
          sslkey: '/k.pem',
        },
      },
    ],
    [
      'postgresql://u@db/push?sslrootcert=system',
      { encryption: { sslmode: 'verify-full', sslrootcert: 'system' } },
    ],
    [
      'postgresql://u@db/push?application_name=x&connect_timeout=3',
      { applicationName: 'x', connectTimeoutSeconds: 3 },
    ],
  ];

  it.each(cases)('may be %s', (text, parts) => {
    const address = databaseUrl(text) as PostgresAddress;

    expect(isPostgresAddress(address)).toBe(true);
    expect(address).toEqual({ ...plain, ...parts });
  });

  it.each([
    'postgresql:u@db/push',
    'postgresql://u@db',
    'postgresql://u@db/',
    'postgresql://u@db:port/push',
    'postgresql://u@db:70000/push',
    'postgresql://u@db:0/push',
    'postgresql://u@[::1/push',
    'postgresql://u@db/push#geheim',
  ])('cannot be %s', (text) => {
    expect(() => databaseUrl(text)).toThrow(
      /^must look like postgresql:\/\/user:password@host:5432\/database$/,
    );
  });

  it.each([
    ['postgresql://db/push', /^must have the name of a user/],
    ['postgresql://u@db/push?sslmode=geheim', /^must have an sslmode of disable, allow, prefer, require, /],
    ['postgresql://u@db/push?sslmode=verify-ca', /^must have sslrootcert with sslmode=verify-ca/],
    ['postgresql://u@db/push?sslmode=require&sslrootcert=system', /^must have sslmode=verify-full with/],
    ['postgresql://u@db/push?sslcert=/c.pem', /^must have both sslcert and sslkey, or none of them$/],
    ['postgresql://u@db/push?passfile=geheim', /^must have no query parameter other than host, /],
    ['postgresql://u@db/push?options=-c%20geheim', /^must have no query parameter other than host, /],
    ['postgresql://u@db/push?sslmode=require&sslmode=disable', /^must give each parameter once$/],
    ['postgresql://u@db/push?target_session_attrs=standby', /^must have a target_session_attrs of any, /],
    ['postgresql://u@db/push?connect_timeout=0', /^must have a connect_timeout of 1 to 999 seconds$/],
    ['postgresql://u@a,b,c/push?port=1,2', /^must have one port for all hosts, or one for each$/],
    ['postgresql://u:100%geheim@db/push', /^must have percent signs written as %25$/],
  ])('cannot be %s, and the message has none of it (G2)', (text, message) => {
    expect(() => databaseUrl(text)).toThrow(message);
    expect(() => databaseUrl(text)).not.toThrow(/geheim/);
  });

  it('is shown without the login and names of files', () => {
    const shown = (text: string) => showDatabaseUrl(databaseUrl(text) as PostgresAddress);

    expect(shown('postgresql://u:geheim@a,[::1]:5433/push?sslmode=require&sslrootcert=/geheim')).toBe(
      'postgresql://a:5432,[::1]:5433/push?sslmode=require',
    );
    expect(shown('mysql://u:geheim@db/push?tls=true')).toBe('mysql://db:3306/push?tls=true');
  });
});

describe('The address of a database', () => {
  it.each(['sqlite://data/push.sqlite3', 'mongodb://db/push', 'geheim', '/var/lib/push.sqlite3'])(
    'cannot be %s (K4)',
    (text) => {
      expect(() => databaseUrl(text)).toThrow(
        /^must look like mysql:\/\/user:password@host:3306\/database or postgresql:\/\/user:password@host:5432\/database$/,
      );
    },
  );
});
