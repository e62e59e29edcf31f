import type { Request } from 'express';
import { clientAddress, throttleAddress } from './client-address.js';

const asked = (ip: string | undefined, remoteAddress?: string) =>
  ({ ip, socket: { remoteAddress } }) as Request;

describe('The address of a client', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['2001:db8::1', '2001:db8::1'],
    ['2001:0DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    [`fe80::1%${'a'.repeat(300)}`, 'fe80::1'],
  ])('%s is told as %s', (ip, told) => {
    expect(clientAddress(asked(ip))).toBe(told);
  });

  it.each(['unknown', '192.0.2.1:80', '<script>', '', undefined])(
    'is the peer where a proxy says %p, which is none',
    (ip) => {
      expect(clientAddress(asked(ip, '::ffff:127.0.0.1'))).toBe('127.0.0.1');
    },
  );

  it('is empty once the peer has gone', () => {
    expect(clientAddress(asked(undefined))).toBe('');
  });
});

describe('Who counts as one for throttles', () => {
  it('is an IPv4 address', () => {
    expect(throttleAddress('192.0.2.1')).toBe('192.0.2.1');
  });

  it('is the /64 of an IPv6 address (B2)', () => {
    expect(throttleAddress('2001:db8:1:2:ffff:ffff:ffff:ffff')).toBe('2001:db8:1:2::/64');
    expect(throttleAddress('2001:db8:1:2::1')).toBe('2001:db8:1:2::/64');
    expect(throttleAddress('2001:db8:1:3::1')).toBe('2001:db8:1:3::/64');
  });

  it('is nobody in particular where there is no address', () => {
    expect(throttleAddress('')).toBe('');
  });
});
