import { isIPv4 } from 'node:net';
import type { Request } from 'express';
import ipaddr from 'ipaddr.js';

const IPV6_NETWORKS = [
  { bits: 64, factor: 1 },
  { bits: 48, factor: 10 },
];
const GROUP_BITS = 16;

declare module 'express-serve-static-core' {
  interface Request {
    /** Kept by `clientAddress`: rate limit, audit log and request log ask one after the other. */
    clientAddress?: string;
  }
}

/**
 * Where a request comes from: the peer, or what trusted proxies say of it; empty once the peer has gone.
 * IPv4 in its own form, also over IPv6; IPv6 without its zone, which is a name of any length for one machine alone.
 */
export function clientAddress(request: Request): string {
  return (request.clientAddress ??= readAddress(request));
}

function readAddress({ ip, socket }: Request): string {
  if (ip !== undefined && isIPv4(ip)) return ip; // the usual case
  const address = ip !== undefined && ipaddr.isValid(ip) ? ip : socket.remoteAddress;
  if (address === undefined) return '';
  return ipaddr.process(address.replace(/%.*$/, '')).toString();
}

/** Addresses that a limit counts together, and how many times the limit of one client they have together. */
export interface CountedNetwork {
  network: string;
  factor: number;
}

/**
 * The networks of an address that limits count, the smallest first. An IPv4 address is counted by itself. Of IPv6, a
 * site has a /64, and one customer is often given a /48 (RFC 6177): without a count of their own, its 65,536 networks
 * of 64 bits would have as many times the allowance of one client.
 */
export function clientNetworks(address: string): CountedNetwork[] {
  if (isIPv4(address) || !ipaddr.isValid(address)) return [{ network: address, factor: 1 }];
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return [{ network: parsed.toString(), factor: 1 }];
  return IPV6_NETWORKS.map(({ bits, factor }) => ({ network: networkOf(parsed, bits), factor }));
}

/** Who counts as one client: an IPv4 address, or the /64 of an IPv6 one, which is a single site's. */
export function clientNetwork(address: string): string {
  return clientNetworks(address)[0]?.network ?? address;
}

function networkOf(address: ipaddr.IPv6, bits: number): string {
  const groups = address.parts.map((group, index) => (index < bits / GROUP_BITS ? group : 0));
  return `${new ipaddr.IPv6(groups).toString()}/${bits}`;
}
