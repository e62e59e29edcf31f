import { text } from 'node:stream/consumers';
import type { INestApplicationContext } from '@nestjs/common';
import { Command, CommanderError } from 'commander';
import { AccountError } from '../auth/users.service.js';
import { BackupError } from '../database/backup.js';
import { explainStart } from '../startup-error.js';
import { addAccountCommands } from './account-commands.js';
import type { CommandContext } from './command-context.js';
import { addMaintenanceCommands } from './maintenance-commands.js';

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
 * @param start starts the service without its scheduled jobs
 */
export async function runCommand(
  args: string[],
  start: () => Promise<INestApplicationContext>,
  { stdin, stdout, stderr }: CommandStreams,
): Promise<number> {
  let exitCode = 0;
  const context: CommandContext = {
    inService: async (work) => {
      const service = await start();
      try {
        await work(service);
      } finally {
        await service.close();
      }
    },
    print: (result) => stdout.write(`${JSON.stringify(result)}\n`),
    setFailed: () => (exitCode = EXIT_FAILED),
    readPassword: async () => (await text(stdin)).replace(/\r?\n$/, ''),
  };
  const program = new Command('sealpush').exitOverride().configureOutput({
    writeOut: (words) => stdout.write(words),
    writeErr: (words) => stderr.write(words),
  });
  addAccountCommands(program, context);
  addMaintenanceCommands(program, context);

  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_WRONG_USAGE; // it has printed what is wrong
    const isRefused = error instanceof AccountError || error instanceof BackupError;
    stderr.write(`sealpush: ${isRefused ? error.message : explainStart(error)}\n`);
    return EXIT_FAILED;
  }
  return exitCode;
}
