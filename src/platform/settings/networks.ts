import { isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { IPv4, IPv6 } from 'ipaddr.js';
import ipaddr from 'ipaddr.js';

export type Address = IPv4 | IPv6;

/** An address and how many of its first bits count; the others are 0. */
export type Network = [address: Address, bits: number];

const NETWORK = /^([0-9a-f.:]{2,45})(?:\/(\d{1,3}))?$/i;
/** Of an IPv6 address with an IPv4 address in it. */
const MAPPED_BITS = 96;
/** As the system writes the address of an IPv4 client on a socket for both families. */
const MAPPED = /^::ffff:(?=\d+\.)/i;

/**
 * What stands for all addresses of this machine: of both families if it has any IPv6 address. Where a sandbox hides the
 * addresses, of IPv4.
 */
export function allAddresses(): '::' | '0.0.0.0' {
  try {
    const found = Object.values(networkInterfaces()).flat();
    return found.some((each) => each?.family === 'IPv6') ? '::' : '0.0.0.0';
  } catch {
    return '0.0.0.0';
  }
}

/**
 * An address, or a network in CIDR notation; undefined for anything else. Accepts no short forms: `1`, which means a
 * number of hops elsewhere, would be the address 0.0.0.1.
 */
export function parseNetwork(text: string): Network | undefined {
  const [, host = '', suffix] = NETWORK.exec(text) ?? [];
  const address = parseExact(host);
  if (!address) return undefined;
  const all = address.toByteArray().length * 8;
  const bits = suffix === undefined ? all : Number(suffix);
  if (bits > all) return undefined;
  return isMapped(address) && bits >= MAPPED_BITS
    ? networkAround(address.toIPv4Address(), bits - MAPPED_BITS)
    : networkAround(address, bits);
}

/** Those of the texts that are networks: a text that cannot be read allows nothing. */
export function parseNetworks(texts: readonly string[]): Network[] {
  return texts.flatMap((text) => {
    const network = parseNetwork(text);
    return network ? [network] : [];
  });
}

/** The same text for each spelling of a network: without host bits, and without `/` for a single address. */
export function networkText([address, bits]: Network): string {
  const isSingle = bits === address.toByteArray().length * 8;
  return isSingle ? address.toString() : `${address.toString()}/${bits}`;
}

/** The first and the last address of a network of IPv4. */
export function rangeOf([address, bits]: Network): string {
  const first = address.toString();
  return `${first}-${ipaddr.IPv4.broadcastAddressFromCIDR(`${first}/${bits}`).toString()}`;
}

/** Whether an IP address is in one of the networks. IPv4 in IPv6 counts as IPv4. */
export function isWithin(ip: string, networks: readonly Network[]): boolean {
  if (networks.length === 0) return false; // the usual case, without parsing the address
  const address = parseAddress(ip);
  return (
    address !== undefined &&
    networks.some(([network, bits]) => address.kind() === network.kind() && address.match(network, bits))
  );
}

/**
 * An IP address, IPv4 in IPv6 as IPv4; undefined for anything else, such as the octal, hexadecimal and short forms that
 * the library takes: who writes them means one address, and who reads them another one.
 */
export function parseAddress(text: string): Address | undefined {
  const address = parseExact(text.replace(MAPPED, ''));
  return address && isMapped(address) ? address.toIPv4Address() : address;
}

/** Whether a host name or an IP address, as it is or as in a URL, is this machine: nobody else can read what is sent there. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || parseAddress(host.replace(/^\[|\]$/g, ''))?.range() === 'loopback';
}

function parseExact(text: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  if (!isIPv6(text) || text.includes('%')) return undefined;
  // without dots: ipaddr.js reads `::192.0.2.1` as `::ffff:192.0.2.1`, which is another address
  return ipaddr.IPv6.parse(new URL(`https://[${text}]`).hostname.slice(1, -1));
}

function isMapped(address: Address): address is IPv6 {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress();
}

/** The network of an address that has this many bits. */
export function networkAround(address: Address, bits: number): Network {
  const { IPv4, IPv6 } = ipaddr;
  const cidr = `${address.toString()}/${bits}`;
  const network =
    address.kind() === 'ipv4' ? IPv4.networkAddressFromCIDR(cidr) : IPv6.networkAddressFromCIDR(cidr);
  return [network, bits];
}
