import { HttpException, HttpStatus } from '@nestjs/common';

/** 429, with how many seconds to wait. */
export class TooManyRequests extends HttpException {
  constructor(
    message: string,
    readonly retryAfter: number,
  ) {
    super(message, HttpStatus.TOO_MANY_REQUESTS);
  }
}
