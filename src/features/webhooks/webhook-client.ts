import type { IncomingMessage, RequestOptions } from 'node:http';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { isIP, isIPv6 } from 'node:net';
import { Injectable } from '@nestjs/common';
import { connectTo } from '../../platform/outbox/limited-connection.js';
import { DeliveryError } from '../../platform/outbox/outbox-channels.js';
import { SECOND_MS } from '../../platform/settings/units.js';
import { DestinationRules, hostOf } from './destination-rules.js';
import { HostLookup } from './host-lookup.js';

const MAX_BODY_BYTES = 16 * 1024;
/** Of a whole attempt: the handshake of TLS, the headers and the beginning of the body. */
const MAX_RECEIVED_BYTES = 64 * 1024;
/** Addresses of a host to which a connection is tried. */
const MAX_ADDRESSES = 8;

type Outgoing = Pick<RequestOptions, 'headers'> & { url: URL; body: string };

/**
 * Sends requests to URLs that users have entered. The host is resolved once, each of its IP addresses is checked, and
 * the connection is made to one of these: a name server that answers differently the next time changes nothing.
 */
@Injectable()
export class WebhookClient {
  /** For a whole attempt. */
  timeoutMs = 5 * SECOND_MS;

  constructor(
    private readonly rules: DestinationRules,
    private readonly lookup: HostLookup,
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
      const addresses = await this.addressesOf(outgoing.url, timeout.signal);
      return await send(outgoing, addresses, timeout.signal);
    } catch (error) {
      if (error instanceof DeliveryError) throw error;
      throw new DeliveryError(timeout.signal.aborted ? 'TIMEOUT' : codeOf(error), 'destination');
    } finally {
      clearTimeout(timer);
    }
  }

  private async addressesOf(url: URL, signal: AbortSignal): Promise<string[]> {
    const host = hostOf(url);
    const addresses = isIP(host) ? [host] : await this.lookup.addressesOf(host, signal);
    if (addresses.length === 0) throw new DeliveryError('ENOTFOUND', 'destination');
    if (!this.rules.allows(url, addresses)) throw new DeliveryError('ADDRESS_NOT_ALLOWED', 'destination');
    return addresses;
  }
}

async function send(
  { url, headers, body }: Outgoing,
  addresses: string[],
  signal: AbortSignal,
): Promise<number> {
  const lookup = pinnedTo(addresses.slice(0, MAX_ADDRESSES));
  const { connection, createConnection } = connectTo(url, MAX_RECEIVED_BYTES, lookup);
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const options = { method: 'POST', headers, createConnection, signal } as const;
  try {
    return await new Promise((resolve, reject) => {
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
  } catch (error) {
    throw connection.hasReachedLimit ? new DeliveryError('RESPONSE_TOO_LONG', 'destination') : error;
  } finally {
    connection.destroy();
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

/** The code of an error of the connection; its message may contain the host or its IP address. */
function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,60}$/.test(code) ? code : 'UNKNOWN';
}
