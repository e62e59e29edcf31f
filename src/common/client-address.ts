import type { Request } from 'express';
import ipaddr from 'ipaddr.js';

const IPV6_SITE_BITS = 64;

/**
 * Where a request comes from: the peer, or what trusted proxies say of it; empty once the peer has gone.
 * IPv4 in its own form, also over IPv6; IPv6 without its zone, which is a name of any length for one machine alone.
 */
export function clientAddress(request: Request): string {
  const address = known.get(request) ?? readAddress(request);
  known.set(request, address);
  return address;
}

/** Throttle, audit log and log ask one after the other. */
const known = new WeakMap<Request, string>();

function readAddress({ ip, socket }: Request): string {
  const told = ip !== undefined && ipaddr.isValid(ip) ? ip : socket.remoteAddress;
  return told === undefined ? '' : ipaddr.process(told.replace(/%.*$/, '')).toString();
}

/** Who counts as one for throttles: an IPv4 address, or the /64 of an IPv6 one, which is a single site's. */
export function throttleAddress(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address;
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/${IPV6_SITE_BITS}`).toString()}/${IPV6_SITE_BITS}`;
}
