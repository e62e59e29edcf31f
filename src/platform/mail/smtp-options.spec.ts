import type { Socket } from 'node:net';
import { createTransport } from 'nodemailer';
import type { HostilePeer } from '../../../test/support/hostile-peer.js';
import { BUFFERED_BYTES, drip, flood, startHostilePeer } from '../../../test/support/hostile-peer.js';
import { readSettings } from '../settings/read-settings.js';
import { ehloNameOf, mailWarning, smtpOptions } from './smtp-options.js';

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

  it.each([
    ['required', { requireTLS: true, tls: { rejectUnauthorized: true } }],
    ['opportunistic', { opportunisticTLS: true, requireTLS: false, tls: { rejectUnauthorized: false } }],
    ['off', { ignoreTLS: true, requireTLS: false }],
  ] as const)('is as MAIL_TLS says when it is %s, wherever the server is (G2)', (mailTls, options) => {
    for (const host of ['mail.internal', 'localhost'])
      expect(smtpOptions(address(host), { mailTls })).toMatchObject(options);
  });
});

describe('The name in the greeting', () => {
  it.each([
    ['https://push.example.org', 'push.example.org'],
    ['https://push.example.org.:8443/base', 'push.example.org'],
    ['https://grüße.example.org', 'xn--gre-6ka8l.example.org'],
    ['https://push.internal', 'push.internal'],
    ['http://192.0.2.1:5100', '[192.0.2.1]'],
    ['http://[2001:db8::1]', '[IPv6:2001:db8::1]'],
    ['http://localhost:5100', undefined],
    ['http://push:5100', undefined],
    ['https://my_push.example.org', undefined],
  ])('is for PUBLIC_URL %s %s', (PUBLIC_URL, name) => {
    expect(ehloNameOf({ PUBLIC_URL })).toBe(name);
    expect(ehloNameOf({ PUBLIC_URL, MAIL_EHLO_NAME: 'mail.example.org' })).toBe('mail.example.org');
  });
});

describe('A warning about mails', () => {
  const warningOf = (more: Record<string, string>) =>
    mailWarning(
      readSettings({
        ...{ MAIL_URL: 'smtp://relay.internal:25', MAIL_FROM: 'push@example.org' },
        ...{ PUBLIC_URL: 'https://push.example.org' },
        ...more,
      }),
    );

  it.each<Record<string, string>>([{}, { MAIL_TLS: 'required' }])('is not for %j', (settings) => {
    expect(warningOf(settings)).toBeUndefined();
  });

  it('says what is sent without TLS, and where', () => {
    expect(warningOf({ MAIL_TLS: 'off' })).toBe(
      'MAIL_TLS is off: mails go to smtp://relay.internal:25 without TLS. ' +
        'Whoever is on the way there can read the links and codes in them.',
    );
  });

  it('names the password, without showing it (H1)', () => {
    const warning = warningOf({ MAIL_TLS: 'opportunistic', MAIL_URL: 'smtp://robin:geheim@relay.internal' });

    expect(warning).toContain('mails, and the password of MAIL_URL, go to smtp://relay.internal:587');
    expect(warning).not.toMatch(/robin|geheim/);
  });
});

describe('An SMTP server', () => {
  let peer: HostilePeer;

  afterEach(() => peer.stop());

  const send = async (behave: (socket: Socket) => void, { tls = false, timeoutMs = 60_000 } = {}) => {
    peer = await startHostilePeer(behave, { greets: !tls });
    const transport = createTransport(smtpOptions({ host: '127.0.0.1', port: peer.port, tls }));
    const mail = { from: 'ada@example.org', to: 'bob@example.org', subject: 'tulip', text: 'tulip' };
    await transport.sendMail({ ...mail, signal: AbortSignal.timeout(timeoutMs) });
  };

  it.each([
    ['a banner', flood('220-tulip\r\n')],
    ['one line', flood('tulip')],
    ['empty lines', flood('\r\n')],
    ['replies', flood('250 ok\r\n', '220 ready\r\n')],
    ['lines of a reply', flood('250-tulip\r\n', '220 ready\r\n')],
  ])('that sends %s without end is read only for some kilobytes (M6)', async (_what, behave) => {
    await expect(send(behave)).rejects.toThrow();
    await peer.stop();

    expect(peer.sentBytes()).toBeLessThan(BUFFERED_BYTES);
  });

  it('that sends TLS records without end is read only for some kilobytes (M6)', async () => {
    await expect(send(flood('\x16\x03\x03\x00\x01\x04'), { tls: true })).rejects.toThrow();
    await peer.stop();

    expect(peer.sentBytes()).toBeLessThan(BUFFERED_BYTES);
  });

  it('that replies byte by byte has only the time of a whole mail (M6)', async () => {
    await expect(send(drip('220-'), { timeoutMs: 300 })).rejects.toMatchObject({ code: 'EABORT' });
  });
});
