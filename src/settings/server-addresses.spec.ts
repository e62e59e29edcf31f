import type { MysqlAddress, RedisAddress } from './server-addresses.js';
import { mysqlUrl, redisUrl } from './server-addresses.js';

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
