import type { DynamicModule, INestApplicationContext, Type } from '@nestjs/common';
import type { Command } from 'commander';

export type NestModule = Type | DynamicModule;

/** Adds commands to the program, before anything of the service is started. */
export type AddCommands = (program: Command, context: CommandContext) => void;

/** What a command works with. */
export interface CommandContext {
  /** The service without its scheduled jobs, with the modules that are added to it. Nothing of it is started. */
  service: () => Promise<NestModule>;
  /** Starts this service, which migrates the database, runs `work` with it and closes it. */
  inService: (work: (service: INestApplicationContext) => Promise<void>) => Promise<void>;
  /** Starts only this module instead. */
  inModule: (module: NestModule, work: (context: INestApplicationContext) => Promise<void>) => Promise<void>;
  /** Prints a result as one line of JSON. */
  print: (result: object) => void;
  /** For results that are too long for `print`. */
  stdout: NodeJS.WritableStream;
  /** Prints a sentence for the operator to stderr. */
  warn: (sentence: string) => void;
  /** Lets the command exit as failed, after it has printed its result. */
  setFailed: () => void;
  /** Reads a password from standard input. */
  readPassword: () => Promise<string>;
}

/** Reports the first progress, and then at most one a second; the others are dropped. */
export function atMostOnceASecond(report: (progress: object) => void): (progress: object) => void {
  let reportedAt = -Infinity;
  return (progress) => {
    if (performance.now() - reportedAt < 1000) return;
    reportedAt = performance.now();
    report(progress);
  };
}
