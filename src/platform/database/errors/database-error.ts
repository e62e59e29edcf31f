import { QueryFailedError } from 'typeorm';
import { PayloadTooLargeException } from '@nestjs/common';
import { Problem } from '../../errors/problem.js';

/** What the codes of a driver's errors mean; those of different drivers differ. */
export interface ErrorCodes {
  /** A conflict with another transaction; a retry may succeed. */
  conflict: RegExp;
  /**
   * The server does not write at the moment, or is not part of its cluster. Another one may have taken over its address.
   * Nothing of the transaction is committed, unless this is what its commit is answered with.
   */
  refusal: RegExp;
  /** Other reasons for which the database is unavailable now but may be available again soon. */
  unavailable: RegExp;
  /** A failed statement may have taken effect; so it may when the connection is lost. */
  outcomeUnknown: RegExp;
  duplicate: RegExp;
  missingParent: RegExp;
  stillReferenced: RegExp;
  missingTable: RegExp;
}

const declared: ErrorCodes[] = [];

/** For the errors of each engine, whose codes differ from those of the others. */
export function declareErrorCodes(codes: ErrorCodes): void {
  declared.push(codes);
}

/** Of the operating system. */
const CONNECTION_ERRORS =
  /^(EAI_AGAIN|ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EPIPE|ETIMEDOUT)$/;

function means(error: unknown, meaning: keyof ErrorCodes): boolean {
  const code = databaseErrorCode(error);
  return code !== '' && declared.some((codes) => codes[meaning].test(code));
}

/** The connection or the disk failed during the commit: it is unknown whether the transaction was committed. */
export class CommitOutcomeUnknown extends QueryFailedError {}

/** The driver's code of a database error, `""` for any other error. */
export function databaseErrorCode(error: unknown): string {
  const { driverError, code } = error as { driverError?: { code?: unknown }; code?: unknown };
  const found = driverError?.code ?? code;
  return typeof found === 'string' ? found : '';
}

export function isRetryableConflict(error: unknown): boolean {
  return means(error, 'conflict');
}

/** Whether the server refuses what another one may accept, and nothing of the transaction is committed. */
export function isRefusedByServer(error: unknown): boolean {
  return means(error, 'refusal') && !(error instanceof CommitOutcomeUnknown);
}

/** Whether the database is unavailable now but may be available again soon. */
export function isUnavailable(error: unknown): boolean {
  return (
    means(error, 'conflict') ||
    means(error, 'refusal') ||
    means(error, 'unavailable') ||
    CONNECTION_ERRORS.test(databaseErrorCode(error)) ||
    isConnectionLost(error)
  );
}

/** Errors that end the connection are marked as fatal, by mysql2 or by us; later commands fail without a code. */
function isConnectionLost(error: unknown): boolean {
  const { driverError, fatal } = error as { driverError?: { fatal?: unknown }; fatal?: unknown };
  return (driverError?.fatal ?? fatal) === true;
}

/** Whether a failed statement may have taken effect: the connection was lost, or the disk failed. */
export function mayHaveCommitted(error: unknown): boolean {
  return isConnectionLost(error) || means(error, 'outcomeUnknown');
}

/** Whether other rows still refer to the row that was to be deleted. */
export function isStillReferenced(error: unknown): boolean {
  return means(error, 'stillReferenced');
}

/** Whether a row with the same unique value already exists. */
export function isDuplicate(error: unknown): boolean {
  return means(error, 'duplicate');
}

/** @throws what `refusal` makes when a row with the same unique value already exists */
export async function unlessDuplicate<T>(write: Promise<T>, refusal: () => Error): Promise<T> {
  try {
    return await write;
  } catch (error) {
    throw isDuplicate(error) ? refusal() : error;
  }
}

/** Whether a row that the new one refers to no longer exists. */
export function isMissingParent(error: unknown): boolean {
  return means(error, 'missingParent');
}

/** Whether a statement names a table that does not exist. SQLite has no code for that. */
export function isMissingTable(error: unknown): boolean {
  return means(error, 'missingTable') || /\bno such table\b/.test(String(error));
}

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
