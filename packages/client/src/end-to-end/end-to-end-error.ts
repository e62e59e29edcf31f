/**
 * - `wrong-secret`: key or passphrase is wrong
 * - `damaged`: it was cut, extended or altered
 * - `unsupported`: not what this version reads, or it takes too long to open
 * - `interrupted`: the stream that was read has failed
 * - `unavailable`: a script could not be loaded, or was changed
 */
export type Reason = 'wrong-secret' | 'damaged' | 'unsupported' | 'interrupted' | 'unavailable';

const NAME = 'EndToEndError';

/** Contains no part of a secret. */
export class EndToEndError extends Error {
  override readonly name = NAME;

  constructor(readonly reason: Reason) {
    super(reason);
  }
}

/** Undefined for other errors. Each script has its own copy of the class, so `instanceof` is not enough. */
export function reasonOf(error: unknown): Reason | undefined {
  return error instanceof Error && error.name === NAME ? (error as EndToEndError).reason : undefined;
}
