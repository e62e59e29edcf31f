import { text } from 'node:stream/consumers';
import type { INestApplicationContext } from '@nestjs/common';
import { Command, CommanderError } from 'commander';
import { Refusal } from '../errors/refusal.js';
import { asCommand } from '../instance-audit/current-actor.js';
import { explainStartError } from '../settings/explain-start-error.js';
import type { AddCommands, CommandContext, NestModule } from './command-context.js';
import { outputErrorOf } from './write-output.js';

export const EXIT_FAILED = 1;
const EXIT_WRONG_USAGE = 2;

/** Where a command reads and writes. */
interface CommandStreams {
  stdin: NodeJS.ReadableStream;
  stdout: NodeJS.WritableStream;
  stderr: NodeJS.WritableStream;
}

/** What commands are run with. */
export interface CommandApp {
  commands: AddCommands[];
  service: CommandContext['service'];
  /** Starts a module, which must not listen to requests. */
  start: (module: NestModule) => Promise<INestApplicationContext>;
}

/** Runs one of the operator's commands, and returns its exit code. */
export async function runCommand(
  args: string[],
  { commands, service, start }: CommandApp,
  { stdin, stdout, stderr }: CommandStreams,
): Promise<number> {
  let exitCode = 0;
  let outputError: Error | undefined;
  stdout.on('error', (error: Error) => (outputError ??= outputErrorOf(error)));
  const inModule: CommandContext['inModule'] = async (module, work) => {
    const context = await start(module);
    try {
      await work(context);
    } finally {
      await context.close();
    }
  };
  const context: CommandContext = {
    service,
    inService: async (work) => inModule(await service(), work),
    inModule,
    print: (result) => stdout.write(`${JSON.stringify(result)}\n`),
    stdout,
    warn: (sentence) => stderr.write(`sealpush: ${sentence}\n`),
    setFailed: () => (exitCode = EXIT_FAILED),
    readPassword: async () => (await text(stdin)).replace(/\r?\n$/, ''),
  };
  const program = new Command('sealpush').exitOverride().configureOutput({
    writeOut: (words) => stdout.write(words),
    // of an option that is not known it would show the value, which may be a key
    writeErr: (words) => stderr.write(words.replace(/'(--[\w-]+)=[^']*'/, "'$1=…'")),
  });
  for (const addCommands of commands) addCommands(program, context);

  try {
    await asCommand(() => program.parseAsync(args, { from: 'user' }));
    await new Promise((resolve) => stdout.write('', resolve)); // what was printed has been written, or has failed
    if (outputError) throw outputError;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_WRONG_USAGE; // it has printed what is wrong
    stderr.write(`sealpush: ${error instanceof Refusal ? error.message : explainStartError(error)}\n`);
    return EXIT_FAILED;
  }
  return exitCode;
}
