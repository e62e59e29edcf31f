import { randomUUID } from 'node:crypto';
import { BadRequestException } from '@nestjs/common';
import type { Request, RequestHandler, Response } from 'express';
import type { Log } from '../../logging/log.js';
import { requestContext } from '../../logging/request-context.js';
import { closeAfterResponse } from '../connections/close-after-response.js';
import { basePathRemover, hasDecodablePath, normalizePath } from './normalize-path.js';
import type { CompletedRequest } from './request-log.js';
import { logRequest } from './request-log.js';
import { Problem } from '../../errors/problem.js';

const HOST = 'host';

/** Shorter bodies are always read to their end, so that the connection can be used again. */
const LONG_BODY = 64 * 1024;

/**
 * Prepares every request before routing, in one middleware because each costs time in Express: sets its id (sent as
 * `X-Request-Id`) and the common response headers, logs it, closes connections with unread bodies, and normalizes the
 * path.
 * @param basePath the path of PUBLIC_URL, which is removed if a proxy has not done so
 * @param measure is called after each request; undefined when metrics are off
 */
export function prepareRequests(
  log: Log,
  basePath: string,
  measure?: (request: CompletedRequest) => void,
): RequestHandler {
  const removeBasePath = basePathRemover(basePath);
  return (request, response, next) => {
    const requestId = randomUUID();
    setCommonHeaders(response, requestId);
    logRequest(requestId, request, response, log, measure);
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
  response.setHeader('Cache-Control', 'no-store');
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
