import { isWithin, networkText, parseNetwork, parseNetworks } from './networks.js';

const normalised = (text: string) => {
  const network = parseNetwork(text);
  return network && networkText(network);
};

describe('A network', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['192.0.2.7/32', '192.0.2.7'],
    ['192.0.2.7/24', '192.0.2.0/24'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['2001:DB8:0:0::1', '2001:db8::1'],
    ['2001:db8::ffff/33', '2001:db8::/33'],
    ['::1/128', '::1'],
    ['::/0', '::/0'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7/120', '192.0.2.0/24'],
    ['::192.0.2.1', '::c000:201'],
  ])('is the same in each spelling, as in %s', (text, network) => {
    expect(normalised(text)).toBe(network);
    expect(normalised(network)).toBe(network);
  });

  it.each([
    ...['', '1', '0', '10.1', '10/8', '0x7f.1', '010.0.0.1', '10.0.0.0/33', '10.0.0.0/-1', '10.0.0.0/', '/8'],
    ...['::/129', 'fe80::1%eth0', ':::', '1::2::3', '[::1]', '10.0.0.1/8/8', ' 10.0.0.1', '10.0.0.1\n'],
    ...['localhost', '١٠.0.0.1', '10.0.0.0/8,', '1'.repeat(100_000)],
  ])('cannot be written as %j (B2)', (text) => {
    expect(parseNetwork(text)).toBeUndefined();
  });

  it('has the addresses whose first bits are its own, of its own kind only', () => {
    const networks = parseNetworks(['192.0.2.0/25', '2001:db8::/33', '203.0.113.9']);
    const inside = ['192.0.2.0', '192.0.2.127', '::ffff:192.0.2.1', '2001:db8:7fff::1', '203.0.113.9'];
    const outside = ['192.0.2.128', '2001:db8:8000::', '203.0.113.8', '::192.0.2.1', '::c000:201', '', 'x'];

    expect(inside.filter((ip) => !isWithin(ip, networks))).toEqual([]);
    expect(outside.filter((ip) => isWithin(ip, networks))).toEqual([]);
    expect(isWithin('192.0.2.1', parseNetworks(['::/0']))).toBe(false);
  });
});
