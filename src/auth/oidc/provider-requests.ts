import type { IncomingMessage } from 'node:http';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { CustomFetch } from 'openid-client';
import { limitInterimResponses } from '../../platform/http/connections/limit-interim-responses.js';
import { checkProxyStatus, connectTo, ProxyError } from '../../platform/outbox/limited-connection.js';
import type { Proxies } from '../../platform/settings/proxies.js';
import type { ProxyAddress } from '../../platform/settings/server-addresses.js';
import { KIB } from '../../platform/settings/units.js';

/** All bytes of a response: the handshake of TLS, interim responses, headers and body. */
const MAX_RECEIVED_BYTES = 512 * KIB;
const NO_BODY = [204, 205, 304];

/** The provider cannot be reached, does not respond in time, or something else than OpenID Connect responds. */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable';
}

interface RequestLimits {
  proxies: Proxies;
  timeoutMs: number;
  /** Ends all requests of one step, also when the client has disconnected. */
  signal?: AbortSignal;
}

/**
 * Sends requests to the provider: each has its own time and its own number of bytes, whatever they are. Redirects are not
 * followed.
 * @throws ProviderUnavailable also when a server responds that it has failed
 */
export function limitedFetch({ proxies, timeoutMs, signal }: RequestLimits): CustomFetch {
  return async (text, { signal: ofLibrary, method, headers, body }) => {
    const url = new URL(text);
    const signals = [AbortSignal.timeout(timeoutMs), ofLibrary, signal].filter((it) => it !== undefined);
    const sent = typeof body === 'string' || body instanceof URLSearchParams ? body.toString() : undefined;
    return send(url, { method, headers, body: sent, proxy: proxies.of(url) }, AbortSignal.any(signals));
  };
}

interface Outgoing {
  method: string;
  headers: Record<string, string>;
  body: string | undefined;
  proxy: ProxyAddress | undefined;
}

async function send(
  url: URL,
  { method, headers, body, proxy }: Outgoing,
  signal: AbortSignal,
): Promise<Response> {
  const route = await connectTo(url, { maxBytes: MAX_RECEIVED_BYTES, proxy, signal }).catch(
    (error: unknown) => {
      throw error instanceof ProxyError ? new ProviderUnavailable(error.code, { cause: error }) : error;
    },
  );
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
  const options = { ...route.options, method, headers: { ...headers, ...length, ...route.headers }, signal };
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const outgoing = request(url, options, resolve).on('error', reject);
      limitInterimResponses(outgoing);
      outgoing.end(body);
    });
    const status = response.statusCode ?? 0;
    checkProxyStatus(status, route);
    if (status >= 500) throw new ProviderUnavailable(`HTTP ${status}`);
    const bytes = Buffer.concat(await response.toArray());
    return new Response(NO_BODY.includes(status) ? null : bytes, { status, headers: headersOf(response) });
  } catch (error) {
    if (error instanceof ProviderUnavailable) throw error;
    if (error instanceof ProxyError) throw new ProviderUnavailable(error.code, { cause: error });
    if (route.connection.hasReachedLimit) throw new ProviderUnavailable('RESPONSE_TOO_LONG');
    const { code = 'UNKNOWN' } = error as NodeJS.ErrnoException;
    throw new ProviderUnavailable(signal.aborted ? 'TIMEOUT' : code);
  } finally {
    route.connection.destroy();
  }
}

/** Without cookies, which are the only ones that are lists. */
function headersOf({ headers }: IncomingMessage): Headers {
  return new Headers(
    Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** Codes only: messages can contain what was received. */
export function codesOf(error: unknown): string {
  const { name, code, cause } = error as NodeJS.ErrnoException;
  return [name, code, (cause as NodeJS.ErrnoException | undefined)?.code]
    .filter((part) => typeof part === 'string')
    .join(' ');
}
