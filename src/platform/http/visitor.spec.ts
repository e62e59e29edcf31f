import type { Request } from 'express';
import { clientAddress, clientNetwork, clientNetworks } from './visitor.js';

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
  ])('%s becomes %s', (ip, expected) => {
    expect(clientAddress(asked(ip))).toBe(expected);
  });

  it.each([
    ...['unknown', '192.0.2.1:80', '<script>', '', undefined],
    ...[
      '012.1.1.1',
      '0xa010101',
      '0xa.1.1.1',
      '167837953',
      '10.1',
      '1',
      '192.0.2.01',
      '1.2.3.4.',
      '１.1.1.1',
    ],
  ])('is the peer if a proxy sends %p, which is not an address (B2, N12)', (ip) => {
    expect(clientAddress(asked(ip, '::ffff:127.0.0.1'))).toBe('127.0.0.1');
  });

  it('is empty once the peer has disconnected', () => {
    expect(clientAddress(asked(undefined))).toBe('');
  });
});

describe('The address of an odd form of IPv6', () => {
  it('is the one that all programs read it as (B2)', () => {
    expect(clientAddress(asked('::192.0.2.1'))).toBe('::c000:201');
    expect(clientNetwork('::192.0.2.1')).toBe('::/64');
  });
});

describe('What rate limits count as one client', () => {
  it('is an IPv4 address', () => {
    expect(clientNetwork('192.0.2.1')).toBe('192.0.2.1');
  });

  it('is the /64 of an IPv6 address (B2)', () => {
    expect(clientNetwork('2001:db8:1:2:ffff:ffff:ffff:ffff')).toBe('2001:db8:1:2::/64');
    expect(clientNetwork('2001:db8:1:2::1')).toBe('2001:db8:1:2::/64');
    expect(clientNetwork('2001:db8:1:3::1')).toBe('2001:db8:1:3::/64');
  });

  it('is empty without an address', () => {
    expect(clientNetwork('')).toBe('');
  });
});

describe('The networks that limits count', () => {
  it.each(['192.0.2.1', '::ffff:192.0.2.1', '::ffff:c000:201'])(
    'are only the address for IPv4, as %s',
    (address) => {
      expect(clientNetworks(address)).toEqual([{ network: '192.0.2.1', factor: 1 }]);
    },
  );

  it('are the /64 and, with ten times the limit, the /48 for IPv6 (L11)', () => {
    expect(clientNetworks('2001:db8:1:2:ffff:ffff:ffff:ffff')).toEqual([
      { network: '2001:db8:1:2::/64', factor: 1 },
      { network: '2001:db8:1::/48', factor: 10 },
    ]);
  });

  it('differ in size even if their first bits are the same (L11)', () => {
    expect(clientNetworks('2001:db8:1::1').map(({ network }) => network)).toEqual([
      '2001:db8:1::/64',
      '2001:db8:1::/48',
    ]);
  });

  it('are one empty name without an address', () => {
    expect(clientNetworks('')).toEqual([{ network: '', factor: 1 }]);
  });
});
