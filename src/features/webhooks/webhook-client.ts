import type { IncomingMessage } from 'node:http';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { isIP, isIPv6 } from 'node:net';
import { Resolver } from 'node:dns/promises';
import { Injectable } from '@nestjs/common';
import { checkProxyStatus, codeOf, connectTo, ProxyError } from '../../platform/outbox/limited-connection.js';
import { DeliveryError } from '../../platform/outbox/outbox-channels.js';
import { Proxies } from '../../platform/settings/proxies.js';
import type { ProxyAddress } from '../../platform/settings/server-addresses.js';
import { SECOND_MS } from '../../platform/settings/units.js';
import { DestinationRules, hostOf } from './destination-rules.js';

/** Finds the IP addresses of hosts by DNS. */
@Injectable()
export class HostLookup {
  /**
   * All IP addresses of a host. Not by the function of the operating system, which occupies a thread until the name server
   * answers, and then delays other work.
   */
  async addressesOf(host: string, signal: AbortSignal): Promise<string[]> {
    const resolver = new Resolver({ timeout: 2 * SECOND_MS, tries: 2 });
    const cancel = () => {
      resolver.cancel();
    };
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
      if (ipv4.status === 'rejected' && ipv6.status === 'rejected') throw ipv4.reason;
      return [ipv4, ipv6].flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }
}

const MAX_BODY_BYTES = 16 * 1024;
/** Of a whole attempt: the handshake of TLS, the headers and the beginning of the body. */
const MAX_RECEIVED_BYTES = 64 * 1024;
/** Addresses of a host to which a connection is tried. */
const MAX_ADDRESSES = 8;
/** How long our name server may take where a proxy finds the host by itself. */
const LOOKUP_MS = SECOND_MS;
/** Names that no name server of the internet knows; `localhost` is always the machine that resolves it (RFC 6761). */
const LOCAL_NAME = /^[^.]+\.?$|\.localhost\.?$/;

interface Outgoing {
  url: URL;
  headers: Record<string, string | number>;
  body: string;
}

/**
 * Sends requests to URLs that users have entered. The host is resolved once, each of its IP addresses is checked, and
 * the connection is made to one of these: a name server that answers differently the next time changes nothing. A proxy
 * resolves the host by itself: there, only what can be known here is checked.
 */
@Injectable()
export class WebhookClient {
  /** For a whole attempt. */
  timeoutMs = 5 * SECOND_MS;

  constructor(
    private readonly rules: DestinationRules,
    private readonly lookup: HostLookup,
    private readonly proxies: Proxies,
  ) {}

  /**
   * Posts a body; returns the status of the response. Redirects are not followed.
   * @throws DeliveryError when there is no response, or an IP address of the host is not allowed
   */
  async post(outgoing: Outgoing): Promise<number> {
    const timeout = new AbortController();
    const timer = setTimeout(() => {
      timeout.abort();
    }, this.timeoutMs);
    try {
      const proxy = this.proxies.of(outgoing.url);
      const addresses = await this.addressesOf(outgoing.url, proxy, timeout.signal);
      return await send(outgoing, addresses, proxy, timeout.signal);
    } catch (error) {
      if (error instanceof DeliveryError) throw error;
      const isTimeout = timeout.signal.aborted && !(error instanceof ProxyError);
      throw new DeliveryError(isTimeout ? 'TIMEOUT' : codeOf(error), 'destination');
    } finally {
      clearTimeout(timer);
    }
  }

  /** All that are known here: none of a host that only the proxy finds. */
  private async addressesOf(
    url: URL,
    proxy: ProxyAddress | undefined,
    signal: AbortSignal,
  ): Promise<string[]> {
    const host = hostOf(url);
    const addresses = isIP(host) ? [host] : await this.lookUp(host, proxy, signal);
    const mayBeUnknown = proxy !== undefined && url.protocol === 'https:' && !LOCAL_NAME.test(host);
    if (addresses.length === 0 && !mayBeUnknown) throw new DeliveryError('ENOTFOUND', 'destination');
    if (!this.rules.allows(url, addresses)) throw new DeliveryError('ADDRESS_NOT_ALLOWED', 'destination');
    return addresses;
  }

  private async lookUp(
    host: string,
    proxy: ProxyAddress | undefined,
    signal: AbortSignal,
  ): Promise<string[]> {
    if (!proxy) return this.lookup.addressesOf(host, signal);
    try {
      return await this.lookup.addressesOf(host, AbortSignal.any([signal, AbortSignal.timeout(LOOKUP_MS)]));
    } catch {
      return [];
    }
  }
}

async function send(
  { url, headers, body }: Outgoing,
  addresses: string[],
  proxy: ProxyAddress | undefined,
  signal: AbortSignal,
): Promise<number> {
  const lookup = pinnedTo(addresses.slice(0, MAX_ADDRESSES));
  const route = await connectTo(url, { maxBytes: MAX_RECEIVED_BYTES, lookup, proxy, signal });
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const options = { ...route.options, method: 'POST', headers: { ...headers, ...route.headers }, signal };
  try {
    const status = await new Promise<number>((resolve, reject) => {
      let status: number | undefined;
      request(url, options, (response) => {
        const arrived = (status = response.statusCode ?? 0);
        void discard(response).then(() => {
          resolve(arrived);
        });
      })
        .on('error', (error) => {
          if (status === undefined) reject(error);
        })
        .end(body);
    });
    checkProxyStatus(status, route);
    return status;
  } catch (error) {
    throw route.connection.hasReachedLimit ? new DeliveryError('RESPONSE_TOO_LONG', 'destination') : error;
  } finally {
    route.connection.destroy();
  }
}

/** Resolves any host to IP addresses that are known already. */
function pinnedTo(addresses: string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (_host, { all }, done) => {
    if (all) done(null, found);
    else done(null, found[0]?.address ?? '', found[0]?.family);
  };
}

/** Reads the beginning of a response, for receivers that send a short one, and drops it. Its end does not matter. */
async function discard(response: IncomingMessage): Promise<void> {
  let bytes = 0;
  try {
    for await (const chunk of response) {
      bytes += (chunk as Buffer).length;
      if (bytes > MAX_BODY_BYTES) return;
    }
  } catch {
    // the status has arrived
  }
}
