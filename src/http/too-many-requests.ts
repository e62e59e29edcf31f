import { HttpException, HttpStatus } from '@nestjs/common';

/** The limit that was exceeded: on all requests from an address, or on its attempts at a passphrase or password. */
export type Limit = 'requests' | 'attempts';

/** 429, with the number of seconds to wait. */
export class TooManyRequests extends HttpException {
  constructor(
    readonly limit: Limit,
    message: string,
    readonly retryAfter: number,
  ) {
    super(message, HttpStatus.TOO_MANY_REQUESTS);
  }
}
