import { createParamDecorator, HttpException } from '@nestjs/common';
import type { Response } from 'express';

/** The status of nginx for a client that disconnected before the response. Nobody receives it. */
const CLIENT_CLOSED_REQUEST = 499;

const CLOSED = new HttpException('The client has disconnected.', CLIENT_CLOSED_REQUEST);

/** Aborts when the response has been sent or the client has disconnected: then nobody needs what is still being done. */
export function closeSignal(response: Response): AbortSignal {
  const closed = new AbortController();
  const abort = () => {
    closed.abort(CLOSED);
  };
  if (response.destroyed) abort();
  else response.setMaxListeners(response.getMaxListeners() + 1).once('close', abort); // a stream adds nearly ten more
  return closed.signal;
}

/** The `closeSignal` of the response, as a parameter of a controller method. */
export const CloseSignal = createParamDecorator((_: unknown, context) =>
  closeSignal(context.switchToHttp().getResponse<Response>()),
);
