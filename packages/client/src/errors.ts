/**
 * What went wrong, for programs.
 *
 * - `invalid_link`: the link was cut or altered, or is none of a push or request
 * - `not_found`: the server has no such push or request
 * - `ended`: it has expired, was deleted or closed
 * - `passphrase_needed`, `passphrase_wrong`: nothing was shown, and no view was counted
 * - `code_needed`: it names its recipients, and opens only with the code that one of them gets by mail
 * - `token_needed`: an API token is missing, wrong or ended
 * - `forbidden`: not with this token, from this network or at this time
 * - `invalid`: the server does not accept a value; `fields` says which
 * - `too_many_requests`, `unavailable`: try again, after `retryAfter` if it is there
 * - `network`: there was no response, or it broke off. What was to be created may exist: nothing is sent again by itself
 * - `damaged`: what arrived was cut, extended or altered, or the key is not the one that it was encrypted with
 * - `unsupported`: this version cannot read it
 * - `encryption_unsupported`: the server cannot take what is encrypted end to end, and nothing else was asked for
 * - `recipient_changed`: the server names another key than the link to answer: nothing was sent
 * - `unexpected`: the response is none of this API
 */
export type ErrorCode =
  | 'invalid_link'
  | 'not_found'
  | 'ended'
  | 'passphrase_needed'
  | 'passphrase_wrong'
  | 'code_needed'
  | 'token_needed'
  | 'forbidden'
  | 'invalid'
  | 'too_many_requests'
  | 'unavailable'
  | 'network'
  | 'damaged'
  | 'unsupported'
  | 'encryption_unsupported'
  | 'recipient_changed'
  | 'unexpected';

/** Every error of this library. No message contains a secret, a passphrase, a key or a token. */
export class SealpushError extends Error {
  override readonly name: string = 'SealpushError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The messages of each field that the server does not accept. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** The server has refused a request. */
export class ResponseError extends SealpushError {
  override readonly name = 'ResponseError';

  constructor(
    code: ErrorCode,
    message: string,
    /** Of the response. */
    readonly status: number,
    /** Seconds after which it may be tried again, if the server has said so. */
    readonly retryAfter?: number,
    /** Only if the code is `invalid`. */
    readonly fields?: FieldErrors,
  ) {
    super(code, message);
  }
}

/** There was no response, or it broke off. */
export class NetworkError extends SealpushError {
  override readonly name = 'NetworkError';
  /** Whether it is certain that nothing was sent, because there was no connection. Only Node.js tells. */
  readonly nothingSent: boolean;

  constructor(origin: string, cause: unknown) {
    super('network', `${origin} cannot be reached: ${reasonIn(cause)}`, { cause });
    this.nothingSent = NOT_CONNECTED.has((cause as { cause?: { code?: string } }).cause?.code ?? '');
  }
}

const NOT_CONNECTED = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** `fetch` hides the reason in the cause of its error. */
function reasonIn(error: unknown): string {
  const { cause, message } = error as { cause?: { code?: string; message?: string }; message?: string };
  return cause?.message || cause?.code || message || 'no response';
}
