import { Injectable } from '@nestjs/common';
import type { Network } from '../../platform/settings/networks.js';
import { isWithin, parseAddress, parseNetworks } from '../../platform/settings/networks.js';
import { WebhookSettings } from './webhooks.settings.js';
import { Problem } from '../../platform/errors/problem.js';
import { WebhookProblem } from './webhooks.problems.js';

const MAX_URL = 2000;
const MAX_HOST = 253;

/** The only part of IPv6 with public addresses of single hosts: all others are special, or not in use (RFC 4291, 2.4). */
const IPV6_GLOBAL_UNICAST = parseNetworks(['2000::/3']);

/** Which IP addresses the hosts of webhooks may have: public ones, and those of `WEBHOOK_ALLOWED_NETWORKS`. */
@Injectable()
export class DestinationRules {
  private readonly allowed: Network[];

  constructor({ WEBHOOK_ALLOWED_NETWORKS }: WebhookSettings) {
    this.allowed = parseNetworks(WEBHOOK_ALLOWED_NETWORKS);
  }

  /** What is wrong with the URL of a webhook. A host name is resolved only when something is sent to it. */
  urlError(text: string): Problem | undefined {
    if (text.trim() === '') return new Problem('blank');
    if (text.length > MAX_URL) return new Problem('too_long', { count: MAX_URL });
    const url = URL.parse(text.trim());
    if (!url || !this.isProtocolOffered(url) || url.port === '0' || url.hostname.length > MAX_HOST)
      return new WebhookProblem('not_an_https_address');
    if (url.username || url.password) return new WebhookProblem('user_in_address');
    const host = hostOf(url);
    const isRefused = parseAddress(host) !== undefined && !this.allows(url, [host]);
    return isRefused ? new WebhookProblem('address_not_public') : undefined;
  }

  /** Whether a request may be sent to these IP addresses, which are all that the host of the URL has. */
  allows({ protocol }: URL, addresses: string[]): boolean {
    const mayBePublic = protocol === 'https:';
    return addresses.every(
      (address) => isWithin(address, this.allowed) || (mayBePublic && isPublic(address)),
    );
  }

  /** Without TLS only to networks that the operator trusts. */
  private isProtocolOffered({ protocol }: URL): boolean {
    return protocol === 'https:' || (protocol === 'http:' && this.allowed.length > 0);
  }
}

/** Whether it is in no range of the registries of special addresses (RFC 6890), which cover all of IPv4. */
function isPublic(text: string): boolean {
  const address = parseAddress(text);
  if (!address) return false;
  const isInUse = address.kind() === 'ipv4' || isWithin(text, IPV6_GLOBAL_UNICAST);
  return isInUse && address.range() === 'unicast';
}

/** The host of a URL, an IPv6 address without brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}
