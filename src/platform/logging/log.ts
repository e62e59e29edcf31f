import cluster from 'node:cluster';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { LoggerService } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger as Pino } from 'pino';
import pino from 'pino';
import type { Request } from 'express';
import { Settings } from '../settings/settings.js';
import { destinationOf } from './stdout.js';
import { SECOND_MS } from '../settings/units.js';

/**
 * The request that is being handled. Its id is added to every log line that is written meanwhile. The reference is weak,
 * because what begins within a request and stays, such as a connection of the pool, keeps this, but must not keep a body.
 */
export const requestContext = new AsyncLocalStorage<{ requestId: string; request: WeakRef<Request> }>();

type LogSettings = Pick<Settings, 'LOG_LEVEL'> & Partial<Pick<Settings, 'LOG_FORMAT' | 'WORKERS'>>;

/** Logs to stdout, with the id of the current request, if any: one JSON object a line, or text for people. */
@Injectable()
export class Log implements LoggerService {
  private readonly pino: Pino;
  private readonly outages: { causes: (error: unknown) => boolean; outage: OutageLog }[] = [];

  constructor(@Inject(Settings) { LOG_LEVEL, LOG_FORMAT, WORKERS = 1 }: LogSettings) {
    this.pino = pino(
      {
        level: LOG_LEVEL,
        base: WORKERS > 1 ? { process: processName() } : undefined,
        timestamp: pino.stdTimeFunctions.isoTime,
        formatters: { level: (level) => ({ level }) },
      },
      destinationOf(LOG_FORMAT, (lines) => {
        this.pino.warn({ lines }, 'Lines of the log are lost, because they could not be written');
      }),
    );
  }

  /** Logs an event with facts about it. Facts must never contain what a client sent, or sealed data. */
  event(message: string, facts: object): void {
    this.pino.info(inRequest(facts), message);
  }

  /** Logs that something outside of the service does not work. The same holds for facts. */
  warning(message: string, facts: object): void {
    this.pino.warn(inRequest(facts), message);
  }

  /**
   * Logs an internal error with its stack only: other fields of it can contain the parameters of a statement. One that
   * an outage causes is only counted.
   */
  failure(message: string, error: unknown): void {
    const outage = this.outages.find(({ causes }) => causes(error))?.outage;
    if (outage) outage.failed(error);
    else this.error(message, stackOf(error));
  }

  /** From now on, failures with errors that `causes` recognises are logged as one outage. */
  outage(causes: (error: unknown) => boolean, texts: OutageTexts): OutageLog {
    const outage = new OutageLog(this, texts);
    this.outages.push({ causes, outage });
    return outage;
  }

  log(message: unknown, context?: string): void {
    // Nest logs dozens of lines, one for each module and route that it loads
    if (
      context === undefined ||
      !/^(InstanceLoader|Router|RoutesResolver|NestFactory|NestApplication)/.test(context)
    ) {
      this.pino.info(inRequest({ context }), String(message));
    }
  }

  error(message: unknown, stack?: string, context?: string): void {
    this.pino.error(inRequest({ context, stack }), String(message));
  }

  warn(message: unknown, context?: string): void {
    this.pino.warn(inRequest({ context }), String(message));
  }

  debug(message: unknown, context?: string): void {
    this.pino.debug(inRequest({ context }), String(message));
  }
}

/** Of several processes, which write to the same stdout. */
function processName(): string {
  return cluster.worker ? `worker-${cluster.worker.id}` : 'supervisor';
}

/** Adds the id of the request, unless the facts have it. pino's `mixin` would take three times as long. */
function inRequest(facts: object): object {
  return 'requestId' in facts ? facts : { requestId: requestContext.getStore()?.requestId, ...facts };
}

const INTERVAL_MS = 10 * SECOND_MS;

/** What the log says about an outage. */
interface OutageTexts {
  begins: string;
  ends: string;
  /** The reason of an error whose message may contain secrets: then there is no stack. */
  reasonOf?: (error: unknown) => string;
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
    private readonly log: Pick<Log, 'error' | 'warning'>,
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
function stackOf(error: unknown): string {
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
