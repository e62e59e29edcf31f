import { randomUUID } from 'node:crypto';
import { BadRequestException } from '@nestjs/common';
import type { Request, RequestHandler, Response } from 'express';
import type { Log } from '../../logging/log.js';
import { requestContext } from '../../logging/log.js';
import { Problem } from '../../errors/problem.js';
import { clientAddress } from '../visitor.js';
import { NOT_KEPT } from '../cache-control.js';
import type { Limit } from '../errors/too-many-requests.js';
import { contributedProvider } from '../../contributions/contributions.js';
import type { Pipelines } from '../connections/connection-limits.js';

type Measure = (request: CompletedRequest) => void;

const HOST = 'host';

/** Shorter bodies are always read to their end, so that the connection can be used again. */
const LONG_BODY = 64 * 1024;

/**
 * Prepares every request before routing, in one middleware because each costs time in Express: sets its id (sent as
 * `X-Request-Id`) and the common response headers, logs it, closes connections with unread bodies, and normalizes the
 * path.
 * @param basePath the path of PUBLIC_URL, which is removed if a proxy has not done so
 * @param measures are called after each request
 */
export function prepareRequests(log: Log, basePath: string, measures: Measure[] = []): RequestHandler {
  const removeBasePath = basePathRemover(basePath);
  return (request, response, next) => {
    const requestId = randomUUID();
    setCommonHeaders(response, requestId);
    logRequest(requestId, request, response, log, measures);
    stripConditionalHeaders(request);
    closeUnreadBodies(request, response);
    const error = setNormalPath(request, removeBasePath) ?? hostError(request); // the path decides between JSON and a page for the error
    requestContext.run({ requestId, request: new WeakRef(request) }, () => {
      next(error);
    });
  };
}

function setCommonHeaders(response: Response, requestId: string): void {
  response.setHeader('X-Request-Id', requestId);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Cache-Control', NOT_KEPT);
}

/**
 * Makes a request unconditional: Express would respond to `If-None-Match: *` with 304 and no body, and count a view
 * although the secret was not shown.
 */
function stripConditionalHeaders({ headers }: Request): void {
  if (headers['if-none-match'] !== undefined) delete headers['if-none-match'];
  if (headers['if-modified-since'] !== undefined) delete headers['if-modified-since'];
}

/**
 * Closes a connection if the response is sent before a long request body has arrived, because it was rejected or the
 * route accepts no body. Node.js would read a body of any length to its end and drop it.
 */
function closeUnreadBodies(request: Request, response: Response): void {
  const { headers } = request;
  if (headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > LONG_BODY) {
    const writeHead = response.writeHead.bind(response) as (...parameters: unknown[]) => Response;
    response.writeHead = (...parameters: unknown[]) => {
      closeAfterResponse(request, response);
      return writeHead(...parameters);
    };
  }
}

/**
 * The error of a request with several `Host` headers, of which a proxy and this server might use different ones (RFC
 * 9112, 3.2). Node.js silently drops the second.
 */
function hostError({ rawHeaders }: Request): BadRequestException | undefined {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    if (name.length === HOST.length && name.toLowerCase() === HOST) hosts += 1;
  }
  return hosts > 1 ? new BadRequestException(new Problem('host_missing')) : undefined;
}

/** Checked here, because the router's own message quotes the path, and paths contain url_tokens. */
function setNormalPath(
  request: Request,
  removeBasePath: (url: string) => string,
): BadRequestException | undefined {
  const url = normalizePath(removeBasePath(request.url));
  if (url !== request.url) request.url = url;
  return hasDecodablePath(url) ? undefined : new BadRequestException(new Problem('address_malformed'));
}

/** A request that has ended. */
export interface CompletedRequest {
  method: string;
  /** The pattern of the route, never the URL; `none` if no route matches. */
  route: string;
  status: string;
  milliseconds: number;
  /** The limit that rejected it, if any. */
  throttledBy?: Limit;
}

/**
 * Logs one line about a request when it has ended, and measures it.
 * The line contains the route and never the URL: URLs contain url_tokens and passphrases.
 */
function logRequest(
  requestId: string,
  request: Request,
  response: Response,
  log: Log,
  measures: Measure[],
): void {
  const startedAt = performance.now();
  const ip = clientAddress(request); // read now: it is unknown once the peer has disconnected
  response.once('close', () => {
    const { method } = request;
    const route = (request.route as { path?: string } | undefined)?.path ?? 'none';
    const status = response.writableFinished ? response.statusCode : 'aborted';
    const milliseconds = performance.now() - startedAt;
    const { throttledBy } = response.locals as Pick<CompletedRequest, 'throttledBy'>;
    for (const measure of measures)
      measure({ method, route, status: String(status), milliseconds, throttledBy });
    // the id is named, because a connection that breaks off ends the response outside the context of the request
    log.event('request', { requestId, method, route, status, milliseconds: Math.round(milliseconds), ip });
  });
}

/** Only paths that match this can differ from their normal form. */
const MAY_CHANGE = /\/\/|.\/$|\.json$|^\/[a-z]{2}(?:-[A-Z]{2})?\/|^\/(?:p|requests)\/.*%/;

/** The fragment of a link whose `#` mail gateways have encoded, once or several times. */
const ENCODED_FRAGMENT = /^(\/(?:p|requests)\/[^%.]+)%(?:25){0,3}23.*$/;

/** `en` or `pt-BR`: older clients and integrations put one in front of the paths of the legacy API. */
const LOCALE = String.raw`\/[a-z]{2}(?:-[A-Z]{2})?`;
const LEGACY_API = String.raw`\/[pfr](?:\/.+)?\.json|\/api\/v1\/.+`;
const LEGACY_API_WITH_LOCALE = new RegExp(`^${LOCALE}(${LEGACY_API})$`);

/**
 * The URL of a request with its path in normal form: `//api//v2/version.json/` becomes `/api/v2/version`. There is no
 * redirect, because API clients do not follow them. See docs/api.md, Paths, and docs/api-v1.md.
 */
export function normalizePath(url: string): string {
  const end = url.indexOf('?');
  const path = end < 0 ? url : url.slice(0, end);
  if (!MAY_CHANGE.test(path) || !path.startsWith('/')) return url; // the `*` of OPTIONS, or a URL with its host
  return normalized(path) + (end < 0 ? '' : url.slice(end));
}

/**
 * Removes doubled and trailing slashes everywhere, `.json` at the end of paths under /api, a locale before a path of
 * the legacy API, and whatever follows an encoded `#` in a link (the page restores it as the fragment).
 */
function normalized(path: string): string {
  const withoutSlashes = path
    .replace(/\/{2,}/g, '/')
    .replace(ENCODED_FRAGMENT, '$1')
    .replace(/(.)\/$/, '$1');
  const withoutLocale = withoutSlashes.replace(LEGACY_API_WITH_LOCALE, '$1');
  return /^\/api(\/|\.json$)/.test(withoutLocale) ? withoutLocale.replace(/\.json$/, '') : withoutLocale;
}

/** Whether the path of a URL can be decoded. */
export function hasDecodablePath(url: string): boolean {
  if (!url.includes('%')) return true;
  try {
    decodeURIComponent(url.replace(/\?.*$/s, ''));
    return true;
  } catch {
    return false;
  }
}

/**
 * Removes the path of PUBLIC_URL from the beginning of a request's URL: `/push//p/TOKEN` becomes `/p/TOKEN`. A URL that
 * does not begin with it is left as it is, because the proxy may have removed it. The two cannot be confused: no path of
 * ours begins as PUBLIC_URL's may (settings/parse-public-url.ts).
 */
export function basePathRemover(basePath: string): (url: string) => string {
  if (basePath === '') return (url) => url;
  const beginning = new RegExp(`^${basePath.replaceAll('.', '\\.').replaceAll('/', '/+')}(?=[/?]|$)/*`);
  return (url) => url.replace(beginning, '/');
}

/** How long and how much of a request is still read after its response, so that the client can read the response. */
const LINGER_MS = 2000;
const LINGER_BYTES = 16 * 1024 * 1024;

/**
 * Ends the connection after this response if some of the request body has not arrived: the rest is not needed.
 * First, only the sending side is closed. If the connection were closed immediately, with bytes of the request unread,
 * it would be reset, and a client that is still sending would lose the response (RFC 9112, 9.6).
 */
export function closeAfterResponse(request: Request, response: Response): void {
  if (response.headersSent || hasArrived(request)) return;

  const { socket } = request;
  response.setHeader('Connection', 'close');
  socket.destroySoon = () => {
    // Node.js calls it when a response with `Connection: close` has been sent
    socket.end();
    let left = LINGER_BYTES;
    request.on('data', ({ length }: Buffer) => {
      left -= length;
      if (left < 0) socket.destroy();
    });
    request.resume();
    const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
    socket.once('close', () => {
      clearTimeout(timer);
    });
  };
}

/**
 * Whether all of a request body has arrived, read or not. When a short body arrives together with its headers, Node.js
 * sets `complete` only in a later turn of the event loop.
 */
export function hasArrived(request: Request): boolean {
  if (request.complete) return true;
  const { headers } = request;
  const length = headers['content-length'];
  if (length !== undefined) return request.readableLength === Number(length);
  return headers['transfer-encoding'] === undefined;
}

/** What a module wants to know of the server of the app; nothing is measured for what is absent. */
export interface ServerObserver {
  /** Called after each request. */
  request?: ((request: CompletedRequest) => void) | undefined;
  /** Called once, with the open connections. */
  watch?(pipelines: Pipelines): void;
}

/** For a class that observes the server of the app. */
export const ServerObserver = contributedProvider<ServerObserver>();
