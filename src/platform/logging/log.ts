import cluster from 'node:cluster';
import type { LoggerService } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger as Pino } from 'pino';
import pino from 'pino';
import { Settings } from '../settings/settings.js';
import { destinationOf } from './destination.js';
import type { OutageTexts } from './outage-log.js';
import { OutageLog, stackOf } from './outage-log.js';
import { requestContext } from './request-context.js';

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

/** Adds the id of the request. pino's `mixin` would take three times as long. */
function inRequest(facts: object): object {
  return { requestId: requestContext.getStore()?.requestId, ...facts };
}
