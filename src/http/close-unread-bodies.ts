import type { Request, Response } from 'express';
import { closeAfterAnswer } from './close-after-answer.js';

/** Shorter bodies are read to their end, whatever the answer is: the connection can then be used again. */
const LONG_BODY = 64 * 1024;

/**
 * Closes a connection whose request is answered before its long body has arrived, because it was refused or because
 * the route takes no body. Node.js would read a body of any length to its end and drop it.
 */
export function closeUnreadBodies(request: Request, response: Response): void {
  const { headers } = request;
  if (headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > LONG_BODY) {
    const writeHead = response.writeHead.bind(response) as (...parameters: unknown[]) => Response;
    response.writeHead = (...parameters: unknown[]) => {
      closeAfterAnswer(request, response);
      return writeHead(...parameters);
    };
  }
}
