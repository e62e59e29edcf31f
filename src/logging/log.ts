import type { LoggerService } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger as Pino } from 'pino';
import pino from 'pino';
import { Settings } from '../settings/settings.js';
import { requestContext } from './request-context.js';

/** One JSON object a line on stdout, with the id of the request where there is one. */
@Injectable()
export class Log implements LoggerService {
  private readonly pino: Pino;

  constructor(@Inject(Settings) { LOG_LEVEL }: Pick<Settings, 'LOG_LEVEL'>) {
    this.pino = pino(
      {
        level: LOG_LEVEL,
        base: undefined,
        timestamp: pino.stdTimeFunctions.isoTime,
        formatters: { level: (level) => ({ level }) },
      },
      // lines that come while one is being written go out together; each copies those before it in its piece
      pino.destination({ sync: false, maxWrite: 4096 }),
    );
  }

  /** An event with facts about it. Facts never hold what a caller sent or what is sealed. */
  event(message: string, facts: object): void {
    this.pino.info(inRequest(facts), message);
  }

  /** A failure of ours with its stack. Nothing else of the error is written: its fields can hold a statement's parameters. */
  failure(message: string, error: unknown): void {
    this.pino.error(inRequest({ stack: error instanceof Error ? error.stack : String(error) }), message);
  }

  log(message: unknown, context?: string): void {
    // Nest tells each module and route that it loads, by the dozen
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

/** Facts with the id of the request. Not by pino's `mixin`, which costs three times as much. */
function inRequest(facts: object): object {
  return { ...requestContext.getStore(), ...facts };
}
