import { SECOND_MS } from '../settings/units.js';

const INTERVAL_MS = 10 * SECOND_MS;

/** What the log says about an outage. */
export interface OutageTexts {
  begins: string;
  ends: string;
  /** The reason of an error whose message may contain secrets: then there is no stack. */
  reasonOf?: (error: unknown) => string;
}

/** Where its lines go. */
interface OutageLines {
  error(message: string, stack?: string): void;
  warning(message: string, facts: object): void;
}

/**
 * Logs an outage of something that the service depends on: one line when it begins, one when it is over, and meanwhile
 * one every ten seconds, if something fails. Something that keeps failing and working is not logged more often either.
 */
export class OutageLog {
  private began?: number;
  private isLogged = false;
  private failures = 0;
  private failuresSinceLine = 0;
  private lastLine = -Infinity;

  constructor(
    private readonly log: OutageLines,
    private readonly texts: OutageTexts,
  ) {}

  /** Counts something that failed because of the outage, such as a request. */
  failed(error: unknown, now = performance.now()): void {
    this.began ??= now;
    this.failures += 1;
    this.failuresSinceLine += 1;
    if (now - this.lastLine < INTERVAL_MS) return;

    const { begins, reasonOf } = this.texts;
    if (this.isLogged) {
      const facts = { failures: this.failuresSinceLine, seconds: this.seconds(now) };
      this.log.warning(begins, { ...facts, code: (reasonOf ?? codeOf)(error) });
    } else if (reasonOf) {
      this.log.warning(begins, { code: reasonOf(error) });
    } else {
      this.log.error(begins, stackOf(error));
    }
    this.isLogged = true;
    this.lineWritten(now);
  }

  /** Something worked that would have failed. */
  worked(now = performance.now()): void {
    if (this.began === undefined) return;
    if (this.isLogged) {
      this.log.warning(this.texts.ends, { failures: this.failures, seconds: this.seconds(now) });
      this.lineWritten(now);
    }
    this.isLogged = false;
    this.began = undefined;
    this.failures = 0;
  }

  private lineWritten(now: number): void {
    this.lastLine = now;
    this.failuresSinceLine = 0;
  }

  private seconds(now: number): number {
    return Math.round((now - (this.began ?? now)) / SECOND_MS);
  }
}

/** The stack of an error, and that of its cause. */
export function stackOf(error: unknown): string {
  if (!hasStack(error)) return String(error);
  const { stack = '', cause } = error;
  return hasStack(cause) ? `${stack}\nCaused by: ${stackOf(cause)}` : stack;
}

function codeOf(error: unknown): string {
  const { code, cause, name } = error as NodeJS.ErrnoException;
  if (typeof code === 'string') return code;
  return hasStack(cause) ? codeOf(cause) : name;
}

/** Also an error of another realm, such as those of the file system in a test. */
function hasStack(value: unknown): value is Error {
  return typeof (value as Partial<Error> | undefined)?.stack === 'string';
}
