import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import {
  color,
  contact,
  ehloName,
  flag,
  folder,
  host,
  httpUrl,
  s3Endpoint,
  s3Prefix,
  line,
  mailbox,
  masterKeys,
  networks,
  oneOf,
  rsaKey,
  showMailbox,
  tokenUrl,
  wholeNumber,
} from './parsers.js';

describe('A whole number', () => {
  it.each([
    ['1', 1],
    ['007', 7],
    ['10', 10],
  ])('may be %s', (text, value) => {
    expect(wholeNumber(1, 10)(text)).toBe(value);
  });

  it.each(['0', '11', '-1', '+1', '1.0', '1e1', '0x1', '1 0', 'NaN', 'Infinity', '٣', '9'.repeat(16)])(
    'cannot be %s (A3)',
    (text) => {
      expect(() => wholeNumber(1, 10)(text)).toThrow('must be a whole number from 1 to 10');
    },
  );
});

describe('A flag', () => {
  it.each(['true', 'on', 'yes', '1', 'TRUE', 'Yes', 'oN'])('is true when it is %s', (text) => {
    expect(flag(text)).toBe(true);
  });

  it.each(['false', 'off', 'no', '0', 'FALSE', 'No', 'oFF'])('is false when it is %s', (text) => {
    expect(flag(text)).toBe(false);
  });

  it.each(['t', 'f', 'y', 'n', '2', '-1', 'enabled', 'truefalse', 'true ', 'wahr', 'null', 'checked'])(
    'cannot be %s (G2)',
    (text) => {
      expect(() => flag(text)).toThrow('must be true or false');
    },
  );
});

describe('One of a few words', () => {
  it('must be spelled exactly', () => {
    expect(oneOf('info', 'debug')('debug')).toBe('debug');
    for (const text of ['DEBUG', 'verbose', 'info,debug', 'toString']) {
      expect(() => oneOf('info', 'debug')(text)).toThrow('must be one of info, debug');
    }
  });
});

describe('A line of text', () => {
  it.each(['Example & Söhne <GmbH>', 'x'.repeat(60), '🦭'.repeat(60)])('may be %s', (text) => {
    expect(line(60)(text)).toBe(text);
  });

  it.each([
    ['a\nb', 'must be one line of text'],
    ['a\u2028b', 'must be one line of text'],
    ['a\u0000b', 'must be one line of text'],
    ['a\ud800b', 'must be one line of text'],
    ['x'.repeat(61), 'must have at most 60 characters'],
  ])('cannot be %j', (text, message) => {
    expect(() => line(60)(text)).toThrow(new Error(message));
  });
});

describe('A contact', () => {
  it.each([
    ['help+push@example.org', 'help+push@example.org'],
    ['https://example.org/help?a=b', 'https://example.org/help?a=b'],
    ['HTTPS://Example.org', 'https://example.org/'],
  ])('may be %s', (text, value) => {
    expect(contact(text)).toBe(value);
  });

  it.each([
    'javascript:alert(1)',
    'http://example.org',
    'mailto:help@example.org',
    'help',
    'help@',
    'https://',
    'https://user:geheim@example.org',
    'https://example.org/a b',
    'help@example.org, other@example.org',
  ])('cannot be %s (E2)', (text) => {
    expect(() => contact(text)).toThrow(/^must be an email address or an https address$/);
  });
});

describe('The sender of mails', () => {
  it.each([
    ['push@example.org', { name: '', address: 'push@example.org' }],
    ['Sealpush <push@example.org>', { name: 'Sealpush', address: 'push@example.org' }],
    ['Grüße, Ada <push@example.org>', { name: 'Grüße, Ada', address: 'push@example.org' }],
  ])('may be %s', (text, value) => {
    expect(mailbox(text)).toEqual(value);
    expect(showMailbox(value)).toBe(text);
  });

  it.each([
    'push',
    'Sealpush',
    'Sealpush push@example.org',
    '<a@example.org>, <b@example.org>',
    'a@example.org, b@example.org',
    '"A" <a@example.org>',
    'A\r\nBcc: eve@example.org <a@example.org>',
    `${'a'.repeat(61)} <a@example.org>`,
  ])('cannot be %j', (text) => {
    expect(() => mailbox(text)).toThrow(/^must /);
  });
});

describe('A colour', () => {
  it('is written in hex', () => {
    expect(color('#0F766e')).toBe('#0f766e');
  });

  it.each(['#fff', '0f766e', 'teal', '#0f766e80', '#0f766g', '#0f766e;}body{', 'rgb(1,2,3)'])(
    'cannot be %s',
    (text) => {
      expect(() => color(text)).toThrow('must be a colour such as #0f766e');
    },
  );
});

describe('A host', () => {
  it.each(['0.0.0.0', '::', '::1', 'localhost', 'db_1.example-2.org'])('may be %s', (text) => {
    expect(host(text)).toBe(text);
  });

  it.each(['http://localhost', 'a b', '0.0.0.0/0', 'a;b', '[::1]'])('is never %s', (text) => {
    expect(() => host(text)).toThrow('must be a host name or an IP address');
  });
});

describe('A folder', () => {
  it('is relative to the working directory, or absolute', () => {
    expect(folder('data')).toBe(resolve('data'));
    expect(folder('./a/../b')).toBe(resolve('b'));
    expect(folder('/srv/data')).toBe('/srv/data');
  });
});

describe('An http URL', () => {
  it.each([
    ['https://push.example.org', 'https://push.example.org'],
    ['https://push.example.org/', 'https://push.example.org'],
    ['HTTP://Push.Example.org:8080/base//', 'http://push.example.org:8080/base'],
    ['http://[::1]:5100', 'http://[::1]:5100'],
  ])('may be %s', (text, value) => {
    expect(httpUrl(text)).toBe(value);
  });

  it.each([
    'push.example.org',
    'ftp://push.example.org',
    'javascript:alert(1)',
    'https://push.example.org?a=b',
    'https://push.example.org#a',
    'https://user:geheim@push.example.org',
    'https://',
    '//push.example.org',
  ])('cannot be %s (D4)', (text) => {
    expect(() => httpUrl(text)).toThrow(/^must be an http or https address without query$/);
  });
});

describe('Networks', () => {
  it.each([
    ['10.0.0.0/8', ['10.0.0.0/8']],
    ['10.1.2.3, ::1\tfd00::/8', ['10.1.2.3', '::1', 'fd00::/8']],
    ['::ffff:10.0.0.1', ['::ffff:10.0.0.1']],
  ])('may be %s', (text, value) => {
    expect(networks(text)).toEqual(value);
  });

  it.each([
    '1',
    '0',
    '10.1',
    '0x7f.1',
    '010.0.0.1',
    '10.0.0.0/33',
    '::/129',
    '10/8',
    'proxy',
    'true',
    ',',
    '10.0.0.1;10.0.0.2',
  ])('cannot be %s (B2)', (text) => {
    expect(() => networks(text)).toThrow('must be IP addresses or networks such as 10.0.0.0/8');
  });
});

describe('Master keys', () => {
  const keys = [randomBytes(32), randomBytes(32), randomBytes(32)] as const;

  it('may be in base64, base64url or hex, one or several', () => {
    const [a, b, c] = keys;
    const text = `${a.toString('base64')}, ${b.toString('base64url')}\n${c.toString('hex').toUpperCase()},`;

    expect(masterKeys(text)).toEqual([a, b, c]);
    expect(masterKeys(a.toString('base64').replace('=', ''))).toEqual([a]);
  });

  it.each([
    ['too short a key', randomBytes(31).toString('base64')],
    ['too long a key', randomBytes(33).toString('base64')],
    ['hex that is cut', randomBytes(32).toString('hex').slice(1)],
    ['a second key that is wrong', `${keys[0].toString('hex')},geheim`],
    ['a passphrase of 43 characters', 'correct horse battery staple!'.padEnd(43, 'x')],
    ['commas alone', ',,'],
    ['a word', 'changeme'],
  ])('cannot be %s (H3)', (_, text) => {
    expect(() => masterKeys(text)).toThrow(
      /^must be keys of 32 bytes in base64 or hex, separated by commas$/,
    );
  });
});

describe('The address of an S3 server', () => {
  it.each([
    ['https://s3.example.org', 'https://s3.example.org'],
    ['https://s3.example.org/', 'https://s3.example.org'],
    ['http://10.0.0.1:9000', 'http://10.0.0.1:9000'],
    ['http://[::1]:9000', 'http://[::1]:9000'],
  ])('may be %s', (text, value) => {
    expect(s3Endpoint(text)).toBe(value);
  });

  it.each([
    [
      'https://s3.example.org/bucket',
      /^must have no path: the bucket is S3_BUCKET, and a folder in it S3_PREFIX$/,
    ],
    ['https://s3.example.org//', /no path/],
    ['https://s3.example.org?x=1', /no query/],
    ['https://s3.example.org/?', /no query/],
    ['https://s3.example.org#x', /no fragment/],
    [
      'https://key:geheim@s3.example.org',
      /^must have no user name or password: the access key has settings of its own$/,
    ],
    ['s3.example.org', /^must be an http or https address$/],
    ['ftp://s3.example.org', /^must be an http or https address$/],
    ['s3://bucket', /^must be an http or https address$/],
  ])('cannot be %s (M11)', (text, message) => {
    expect(() => s3Endpoint(text)).toThrow(message);
  });
});

describe('A folder in a bucket', () => {
  it.each([
    ['sealpush', 'sealpush'],
    ['sealpush/files/', 'sealpush/files'],
    ['Team-1/a.b_c', 'Team-1/a.b_c'],
  ])('may be %s', (text, value) => {
    expect(s3Prefix(text)).toBe(value);
  });

  it.each([
    '/',
    '/a',
    'a//b',
    '..',
    'a/../b',
    '.',
    'a/./b',
    '.a',
    'a b',
    'a\\b',
    'ä',
    'a/%2e',
    'a'.repeat(201),
    'a//',
  ])('cannot be %s (B1)', (text) => {
    expect(() => s3Prefix(text)).toThrow(/^must be a folder such as sealpush\/files/);
  });
});

describe('A name for a greeting', () => {
  it.each(['mail.example.org', 'push-1.internal', 'relay', '[192.0.2.1]', '[IPv6:2001:db8::1]'])(
    'may be %s',
    (text) => {
      expect(ehloName(text)).toBe(text);
    },
  );

  it.each([
    '192.0.2.1',
    '2001:db8::1',
    '[2001:db8::1]',
    '[IPv6:fe80::1%eth0]',
    '[192.0.2]',
    '[IPv6:192.0.2.1]',
    '[mail.example.org]',
    'mail.example.org.',
    'my_mail.example.org',
    '-mail.example.org',
    'mail example.org',
    'mail.example.org\r\nRCPT TO:<eve@example.org>',
    'a@example.org',
    'https://mail.example.org',
    `${'a'.repeat(64)}.example.org`,
  ])('cannot be %j (E10)', (text) => {
    expect(() => ehloName(text)).toThrow('must be a host name, or an address such as [192.0.2.1]');
  });
});

describe('The address of a token endpoint', () => {
  it.each([
    'https://login.example.org/1/oauth2/v2.0/token',
    'http://127.0.0.1:8080/token',
    'http://localhost/token',
    'http://[::1]:8080/token',
  ])('may be %s', (text) => {
    expect(tokenUrl(text)).toBe(text);
  });

  it.each([
    'http://login.example.org/token',
    'http://localhost.example.org/token',
    'https://user:geheim@login.example.org/token',
    'https://login.example.org/token?a=1',
    'https://login.example.org/token#a',
    'ftp://127.0.0.1/token',
    'login.example.org',
  ])('cannot be %s', (text) => {
    expect(() => tokenUrl(text)).toThrow(/^must be an https? (or https )?address/);
  });
});

describe('An RSA key', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;

  it.each([
    ['PEM', pem],
    ['PEM of PKCS #1', privateKey.export({ type: 'pkcs1', format: 'pem' }) as string],
    ['PEM with its line breaks written as \\n', pem.replaceAll('\n', '\\n')],
    ['the file of a service account', JSON.stringify({ type: 'service_account', private_key: pem })],
  ])('may be %s', (_what, text) => {
    expect(rsaKey(text)).toBe(pem);
  });

  it.each([
    'geheim',
    '{}',
    '{"private_key":1}',
    '{',
    publicKey.export({ type: 'spki', format: 'pem' }) as string,
    generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' }) as string,
  ])('cannot be %j', (text) => {
    expect(() => rsaKey(text)).toThrow(
      /^must be an RSA key in PEM without a passphrase, or the JSON file of a service account$/,
    );
  });
});
