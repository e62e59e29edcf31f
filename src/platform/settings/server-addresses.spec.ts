import type { MysqlAddress, RedisAddress } from './server-addresses.js';
import { mailUrl, mysqlUrl, redisUrl, proxyUrl } from './server-addresses.js';

describe('The address of a database', () => {
  const plain = { host: 'db', port: 3306, username: '', password: '', database: 'push', tls: false };
  const cases: [string, Partial<MysqlAddress>][] = [
    ['mysql://db/push', {}],
    ['mariadb://root:pw@db:3307/push', { username: 'root', password: 'pw', port: 3307 }],
    ['mysql://u:p%40s%2Fs%3A%25%C3%BC@db/push', { username: 'u', password: 'p@s/s:%ü' }],
    ['mysql://u%40h@db/my%20push', { username: 'u@h', database: 'my push' }],
    ['mysql://[::1]:3306/push', { host: '::1' }],
    ['mysql://[fd00::1]/push?tls=true', { host: 'fd00::1', tls: true }],
    ['mysql://db/push?tls=no', {}],
  ];

  it.each(cases)('may be %s', (text, parts) => {
    expect(mysqlUrl(text)).toEqual({ ...plain, ...parts });
  });

  it.each([
    'sqlite://data/push.sqlite3',
    'postgres://db/push',
    'mysql:db/push',
    'mysql://db',
    'mysql://db/',
    'mysql:///push',
    'mysql://db:port/push',
    'mysql://db:70000/push',
    'mysql://[::1/push',
    'mysql://db/push#geheim',
    'geheim',
    '/var/lib/push.sqlite3',
  ])('cannot be %s (K4)', (text) => {
    expect(() => mysqlUrl(text)).toThrow(/^must look like mysql:\/\/user:password@host:3306\/database$/);
  });

  it.each([
    ['mysql://db/push?ssl=true', 'must have no query parameter other than tls'],
    ['mysql://db/push?tls=true&x=geheim', 'must have no query parameter other than tls'],
    ['mysql://db/push?tls=require', 'must be true or false'],
    ['mysql://db/push?tls=', 'must be true or false'],
    ['mysql://db/push?tls=true&tls=false', 'must give tls once'],
    ['mysql://u:100%geheim@db/push', 'must have percent signs written as %25'],
  ])('cannot be %s (G2)', (text, message) => {
    expect(() => mysqlUrl(text)).toThrow(new Error(message));
  });
});

describe('A Redis address', () => {
  const plain = { host: 'cache.internal', port: 6379, database: 0, tls: false };

  it.each<[string, RedisAddress]>([
    ['redis://cache.internal', plain],
    ['redis://cache.internal/', plain],
    ['redis://cache.internal:6380/15', { ...plain, port: 6380, database: 15 }],
    ['rediss://cache.internal', { ...plain, tls: true }],
    ['redis://[::1]:6379', { ...plain, host: '::1' }],
    ['redis://:p%40ss%2Fword@cache.internal', { ...plain, password: 'p@ss/word' }],
    ['redis://me:secret@cache.internal/1', { ...plain, username: 'me', password: 'secret', database: 1 }],
  ])('may be %s', (text, address) => {
    expect(redisUrl(text)).toEqual(address);
  });

  it.each([
    'cache.internal:6379',
    'http://cache.internal',
    'redis://',
    'redis:///0',
    'redis://:secret@',
    'redis://cache.internal/one',
    'redis://cache.internal/0/1',
    'redis://cache.internal/-1',
    'redis://cache.internal?db=1',
    'redis://:se#cret@cache.internal',
    'redis://:se/cret@cache.internal',
    'redis://cache.internal:99999',
    'redis://a,b:6379',
  ])('cannot be %s', (text) => {
    expect(() => redisUrl(text)).toThrow('must look like redis://user:password@host:6379/0');
  });

  it('needs a password if it has a user, and encoded percent signs', () => {
    expect(() => redisUrl('redis://secret@cache.internal')).toThrow('must have a password with its user');
    expect(() => redisUrl('redis://:100%@cache.internal')).toThrow('must have percent signs written as %25');
  });
});

describe('The address of an SMTP server', () => {
  it.each([
    ['smtp://mail.internal', { host: 'mail.internal', port: 587, tls: false }],
    ['smtps://mail.internal/', { host: 'mail.internal', port: 465, tls: true }],
    ['smtp://127.0.0.1:25', { host: '127.0.0.1', port: 25, tls: false }],
    ['smtps://[::1]:2465', { host: '::1', port: 2465, tls: true }],
    [
      'smtp://ada%40example.org:p%2Fw@mail.internal',
      { host: 'mail.internal', port: 587, username: 'ada@example.org', password: 'p/w', tls: false },
    ],
  ])('may be %s', (text, address) => {
    expect(mailUrl(text)).toEqual(address);
  });

  it.each([
    'mail.internal:25',
    'http://mail.internal',
    'smtp://',
    'smtp://mail.internal/path',
    'smtp://mail.internal?tls=false',
    'smtp://mail.internal#1',
    'smtp://mail.internal:99999',
    'smtp://a,b:25',
  ])('cannot be %s', (text) => {
    expect(() => mailUrl(text)).toThrow('must look like smtp://user:password@host:587');
  });

  it('needs user and password, or neither', () => {
    expect(() => mailUrl('smtp://ada@mail.internal')).toThrow('must have both user and password');
    expect(() => mailUrl('smtp://:secret@mail.internal')).toThrow('must have both user and password');
  });
});

describe('The address of a proxy', () => {
  it.each([
    ['http://proxy.internal:3128', { host: 'proxy.internal', port: 3128, tls: false }],
    ['proxy.internal:3128', { host: 'proxy.internal', port: 3128, tls: false }],
    ['http://proxy.internal/', { host: 'proxy.internal', port: 80, tls: false }],
    ['https://[::1]', { host: '::1', port: 443, tls: true }],
    [
      'http://ada%40example.org:p%2Fw@proxy.internal:8080',
      { host: 'proxy.internal', port: 8080, username: 'ada@example.org', password: 'p/w', tls: false },
    ],
  ])('may be %s', (text, address) => {
    expect(proxyUrl(text)).toEqual(address);
  });

  it.each([
    'socks5://proxy.internal',
    'http://',
    'http://proxy.internal/path',
    'http://a?b=c',
    'http://a:99999',
  ])('cannot be %s', (text) => {
    expect(() => proxyUrl(text)).toThrow('must look like http://user:password@proxy.example.org:3128');
  });
});
