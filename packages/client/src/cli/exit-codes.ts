import type { ErrorCode } from '../errors.js';
import { SealpushError } from '../errors.js';

/** What a command exits with if it fails. */
export const EXIT = {
  failed: 1,
  usage: 2,
  notFound: 3,
  ended: 4,
  passphrase: 5,
  refused: 6,
  network: 7,
  damaged: 8,
} as const;

/** When it exits with which code, as docs/cli.md and the man page have it. */
export const EXIT_CODES: ReadonlyMap<number, string> = new Map([
  [0, 'done'],
  [EXIT.failed, 'something unexpected'],
  [EXIT.usage, 'wrong arguments, or a link that was cut'],
  [EXIT.notFound, 'no such push or request'],
  [EXIT.ended, 'it has ended'],
  [EXIT.passphrase, 'a passphrase or a code is missing or wrong'],
  [EXIT.refused, 'the server refuses it'],
  [EXIT.network, 'the server cannot be reached, or cannot do it at the moment'],
  [EXIT.damaged, 'what arrived cannot be decrypted: it was cut or altered'],
]);

const BY_CODE: Partial<Record<ErrorCode, number>> = {
  invalid_link: EXIT.usage,
  not_found: EXIT.notFound,
  ended: EXIT.ended,
  passphrase_needed: EXIT.passphrase,
  passphrase_wrong: EXIT.passphrase,
  code_needed: EXIT.passphrase,
  token_needed: EXIT.refused,
  forbidden: EXIT.refused,
  invalid: EXIT.refused,
  too_many_requests: EXIT.refused,
  encryption_unsupported: EXIT.refused,
  recipient_changed: EXIT.refused,
  unavailable: EXIT.network,
  network: EXIT.network,
  unexpected: EXIT.network,
  damaged: EXIT.damaged,
  unsupported: EXIT.damaged,
};

/** A value on the command line, in the environment or in a configuration file that cannot be used. */
export class UsageError extends Error {}

export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return EXIT.usage;
  return (error instanceof SealpushError ? BY_CODE[error.code] : undefined) ?? EXIT.failed;
}
