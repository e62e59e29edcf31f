import type { Socket } from 'node:net';
import { createTransport } from 'nodemailer';
import type { HostilePeer } from '../../../test/support/hostile-peer.js';
import { BUFFERED_BYTES, drip, flood, startHostilePeer } from '../../../test/support/hostile-peer.js';
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
