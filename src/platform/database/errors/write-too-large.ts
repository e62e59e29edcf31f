import { PayloadTooLargeException } from '@nestjs/common';
import { Problem } from '../../errors/problem.js';

/**
 * What was to be written is larger than the database server accepts at once. It is not sent, because the server would
 * close the connection, as if it were unavailable. It is never worth trying again.
 */
export class WriteTooLarge extends PayloadTooLargeException {
  /** @param bytes that the server accepts */
  constructor(readonly bytes: number) {
    super(new Problem('too_large_for_database', { bytes }));
  }
}

/** A failed write without what TypeORM wraps its errors in, if it was too large. */
export function withoutWrapper(error: unknown): unknown {
  const { driverError } = error as { driverError?: unknown };
  return driverError instanceof WriteTooLarge ? driverError : error;
}
