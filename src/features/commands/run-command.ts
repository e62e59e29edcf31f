import { text } from 'node:stream/consumers';
import type { INestApplicationContext, Type } from '@nestjs/common';
import { Command, CommanderError } from 'commander';
import { AccountError } from '../../auth/errors/account-error.js';
import { BackupError } from '../../platform/database/backup.js';
import { asCommand } from '../../platform/instance-audit/current-actor.js';
import { explainStartError } from '../../platform/settings/explain-start-error.js';
import { addAccountCommands } from './account-commands.js';
import { CliModule } from './cli.module.js';
import { addAuditCommands } from './audit-commands.js';
import type { CommandContext } from './command-context.js';
import { addMailCommand } from './mail-command.js';
import { addFileCommands } from './file-commands.js';
import { addMaintenanceCommands } from './maintenance-commands.js';
import { MoveError } from './move/move-error.js';
import { addMoveCommands } from './move-commands.js';
import { addPasswordPusherCommand } from './passwordpusher-command.js';
import { OutputError, outputErrorOf } from './write-output.js';

export const EXIT_FAILED = 1;
const EXIT_WRONG_USAGE = 2;

/** Where a command reads and writes. */
export interface CommandStreams {
  stdin: NodeJS.ReadableStream;
  stdout: NodeJS.WritableStream;
  stderr: NodeJS.WritableStream;
}

/**
 * Runs one of the operator's commands, and returns its exit code.
 * @param start starts a module, which must not listen to requests
 */
export async function runCommand(
  args: string[],
  start: (module: Type) => Promise<INestApplicationContext>,
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
    inService: (work) => inModule(CliModule, work),
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
  addAccountCommands(program, context);
  addMaintenanceCommands(program, context);
  addMailCommand(program, context);
  addFileCommands(program, context);
  addAuditCommands(program, context);
  addMoveCommands(program, context);
  addPasswordPusherCommand(program, context);

  try {
    await asCommand(() => program.parseAsync(args, { from: 'user' }));
    await new Promise((resolve) => stdout.write('', resolve)); // what was printed has been written, or has failed
    if (outputError) throw outputError;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_WRONG_USAGE; // it has printed what is wrong
    const isRefused = [AccountError, BackupError, MoveError, OutputError].some(
      (refusal) => error instanceof refusal,
    );
    stderr.write(`sealpush: ${isRefused ? (error as Error).message : explainStartError(error)}\n`);
    return EXIT_FAILED;
  }
  return exitCode;
}
