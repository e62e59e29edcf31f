import { smtpOptions } from './smtp-options.js';

const address = (host: string) => ({ host, port: 587, tls: false });

describe('The connection to an SMTP server', () => {
  it.each([
    'mail.internal',
    '10.0.0.7',
    '192.0.2.1',
    'fd00::1',
    '0.0.0.0',
    '::',
    'localhost.example.org',
    '127.1.example.org',
  ])('must be encrypted and authenticated to %s', (host) => {
    expect(smtpOptions(address(host))).toMatchObject({ requireTLS: true, tls: { rejectUnauthorized: true } });
  });

  it.each(['localhost', '127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'])('need not be to %s', (host) => {
    expect(smtpOptions(address(host))).toMatchObject({
      requireTLS: false,
      tls: { rejectUnauthorized: false },
    });
  });
});
