import { randomUUID } from 'node:crypto';
import { BadRequestException } from '@nestjs/common';
import type { Request, RequestHandler, Response } from 'express';
import type { Log } from '../logging/log.js';
import { requestContext } from '../logging/request-context.js';
import { closeAfterAnswer } from './close-after-answer.js';
import { hasDecodablePath, normalizePath } from './normalize-path.js';
import type { CompletedRequest } from './request-log.js';
import { logRequest } from './request-log.js';

const HOST = 'host';

/** Shorter bodies are read to their end, whatever the answer is: the connection can then be used again. */
const LONG_BODY = 64 * 1024;

/**
 * What is done with every request before any route, in one middleware because each costs Express a step: an id
 * (answered in `X-Request-Id`), a line in the log, headers that all answers have, the end of connections whose body nobody
 * reads, and the path in its normal form.
 * @param measure is told of each request that is over; left out where metrics are off
 */
export function prepareRequests(log: Log, measure?: (request: CompletedRequest) => void): RequestHandler {
  return (request, response, next) => {
    const requestId = randomUUID();
    setCommonHeaders(response, requestId);
    logRequest(request, response, log, measure);
    stripConditionalHeaders(request);
    closeUnreadBodies(request, response);
    const fault = setNormalPath(request) ?? hostFault(request); // the path decides how a fault is answered
    requestContext.run({ requestId }, () => {
      next(fault);
    });
  };
}

function setCommonHeaders(response: Response, requestId: string): void {
  response.setHeader('X-Request-Id', requestId);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Cache-Control', 'no-store');
}

/**
 * Makes a request unconditional: Express would answer `If-None-Match: *` with 304 and no body, and a view would be
 * counted that nobody saw.
 */
function stripConditionalHeaders({ headers }: Request): void {
  if (headers['if-none-match'] !== undefined) delete headers['if-none-match'];
  if (headers['if-modified-since'] !== undefined) delete headers['if-modified-since'];
}

/**
 * Closes a connection whose request is answered before its long body has arrived, because it was refused or because
 * the route takes no body. Node.js would read a body of any length to its end and drop it.
 */
function closeUnreadBodies(request: Request, response: Response): void {
  const { headers } = request;
  if (headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > LONG_BODY) {
    const writeHead = response.writeHead.bind(response) as (...parameters: unknown[]) => Response;
    response.writeHead = (...parameters: unknown[]) => {
      closeAfterAnswer(request, response);
      return writeHead(...parameters);
    };
  }
}

/** Proxies and we might each believe another of them (RFC 9112, 3.2). Node.js drops the second in silence. */
function hostFault({ rawHeaders }: Request): BadRequestException | undefined {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    if (name.length === HOST.length && name.toLowerCase() === HOST) hosts += 1;
  }
  return hosts > 1 ? new BadRequestException('There must be one Host header.') : undefined;
}

/** The fault is told here, because the router's own message quotes the path, and paths hold url_tokens. */
function setNormalPath(request: Request): BadRequestException | undefined {
  const url = normalizePath(request.url);
  if (url !== request.url) request.url = url;
  return hasDecodablePath(url) ? undefined : new BadRequestException('The address is not well-formed.');
}
