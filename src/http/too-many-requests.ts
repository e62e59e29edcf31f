import { HttpException, HttpStatus } from '@nestjs/common';

/** Which limit refuses: that on all requests of an address, or that on its tries at a passphrase or password. */
export type Limit = 'requests' | 'attempts';

/** 429, with how many seconds to wait. */
export class TooManyRequests extends HttpException {
  constructor(
    readonly limit: Limit,
    message: string,
    readonly retryAfter: number,
  ) {
    super(message, HttpStatus.TOO_MANY_REQUESTS);
  }
}
