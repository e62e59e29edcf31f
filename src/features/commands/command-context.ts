import type { INestApplicationContext, Type } from '@nestjs/common';

/** What a command works with. */
export interface CommandContext {
  /** Starts the service without its scheduled jobs, which migrates the database, runs `work` with it and closes it. */
  inService: (work: (service: INestApplicationContext) => Promise<void>) => Promise<void>;
  /** Starts only this module instead. */
  inModule: (module: Type, work: (context: INestApplicationContext) => Promise<void>) => Promise<void>;
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
