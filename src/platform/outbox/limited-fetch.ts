import type { IncomingMessage } from 'node:http';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { CustomFetch } from 'openid-client';
import { limitInterimResponses } from '../http/connections/limit-interim-responses.js';
import type { Proxies } from '../settings/proxies.js';
import type { ProxyAddress } from '../settings/server-addresses.js';
import { KIB } from '../settings/units.js';
import { checkProxyStatus, connectTo, ProxyError } from './limited-connection.js';

/** All bytes of a response: the handshake of TLS, interim responses, headers and body. */
const MAX_RECEIVED_BYTES = 512 * KIB;
const NO_BODY = [204, 205, 304];

/** The server cannot be reached, does not respond in time, sends too much or responds that it has failed: a code. */
export class ServerUnavailable extends Error {
  override readonly name = 'ServerUnavailable';
}

interface RequestLimits {
  proxies: Proxies;
  timeoutMs: number;
  /** Ends all requests of one step, also when the client has disconnected. */
  signal?: AbortSignal;
}

/**
 * Sends requests to a server of the settings, for `openid-client`: each has a timeout and a limit of bytes of its own.
 * Redirects are not followed.
 * @throws ServerUnavailable
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
      throw error instanceof ProxyError ? new ServerUnavailable(error.code, { cause: error }) : error;
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
    if (status >= 500) throw new ServerUnavailable(`HTTP ${status}`);
    const bytes = Buffer.concat(await response.toArray());
    return new Response(NO_BODY.includes(status) ? null : bytes, { status, headers: headersOf(response) });
  } catch (error) {
    if (error instanceof ServerUnavailable) throw error;
    if (error instanceof ProxyError) throw new ServerUnavailable(error.code, { cause: error });
    if (route.connection.hasReachedLimit) throw new ServerUnavailable('RESPONSE_TOO_LONG');
    const { code = 'UNKNOWN' } = error as NodeJS.ErrnoException;
    throw new ServerUnavailable(signal.aborted ? 'TIMEOUT' : code);
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

export type OpenIdClient = typeof import('openid-client');

/** It is marked as deprecated so that it stands out: the operator has chosen a server without TLS. */
export function allowInsecure(oidc: OpenIdClient): OpenIdClient['allowInsecureRequests'] {
  // oxlint-disable-next-line typescript/no-deprecated -- see above
  return oidc.allowInsecureRequests;
}
