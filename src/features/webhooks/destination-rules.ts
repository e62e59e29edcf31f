import { isIPv6 } from 'node:net';
import { Injectable } from '@nestjs/common';
import type { IPv4, IPv6 } from 'ipaddr.js';
import ipaddr from 'ipaddr.js';
import { Settings } from '../../platform/settings/settings.js';
import { Problem } from '../../platform/errors/problem.js';

const MAX_URL = 2000;
const MAX_HOST = 253;

/** The only part of IPv6 with public addresses of single hosts: all others are special, or not in use (RFC 4291, 2.4). */
const IPV6_GLOBAL_UNICAST: [IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

type Address = IPv4 | IPv6;

/** Which IP addresses the hosts of webhooks may have: public ones, and those of `WEBHOOK_ALLOWED_NETWORKS`. */
@Injectable()
export class DestinationRules {
  private readonly allowed: [Address, number][];

  constructor({ WEBHOOK_ALLOWED_NETWORKS }: Settings) {
    this.allowed = WEBHOOK_ALLOWED_NETWORKS.map(parseNetwork);
  }

  /** What is wrong with the URL of a webhook. A host name is resolved only when something is sent to it. */
  urlError(text: string): Problem | undefined {
    if (text.trim() === '') return new Problem('blank');
    if (text.length > MAX_URL) return new Problem('too_long', { count: MAX_URL });
    const url = URL.parse(text.trim());
    if (!url || !this.isProtocolOffered(url) || url.port === '0' || url.hostname.length > MAX_HOST)
      return new Problem('not_an_https_address');
    if (url.username || url.password) return new Problem('user_in_address');
    const host = hostOf(url);
    return ipaddr.isValid(host) && !this.allows(url, [host]) ? new Problem('address_not_public') : undefined;
  }

  /** Whether a request may be sent to these IP addresses, which are all that the host of the URL has. */
  allows({ protocol }: URL, addresses: string[]): boolean {
    const parsed = addresses.map(parseAddress);
    if (protocol !== 'https:') return parsed.every((address) => this.isAllowed(address));
    return parsed.every((address) => isPublic(address) || this.isAllowed(address));
  }

  /** Without TLS only to networks that the operator trusts. */
  private isProtocolOffered({ protocol }: URL): boolean {
    return protocol === 'https:' || (protocol === 'http:' && this.allowed.length > 0);
  }

  private isAllowed(address: Address): boolean {
    return this.allowed.some(
      ([network, bits]) => address.kind() === network.kind() && address.match(network, bits),
    );
  }
}

/** An IPv4 address in an IPv6 one as IPv4. */
function parseAddress(text: string): Address {
  // without dots: ipaddr.js reads `::192.0.2.1` as `::ffff:192.0.2.1`, which is another address
  return ipaddr.process(isIPv6(text) ? hostOf(new URL(`https://[${text}]`)) : text);
}

/** Whether it is in no range of the registries of special addresses (RFC 6890), which cover all of IPv4. */
function isPublic(address: Address): boolean {
  const isInUse = address.kind() === 'ipv4' || address.match(...IPV6_GLOBAL_UNICAST);
  return isInUse && address.range() === 'unicast';
}

/** The host of a URL, an IPv6 address without brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

function parseNetwork(text: string): [Address, number] {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.parse(text);
  return [address, address.toByteArray().length * 8];
}
