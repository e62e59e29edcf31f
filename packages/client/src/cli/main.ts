#!/usr/bin/env node
import { Command, CommanderError } from 'commander';
import { addAccountCommands } from './account.js';
import { addCompletionCommand } from './completion.js';
import { Context } from './context.js';
import { EXIT, exitCodeOf } from './exit-codes.js';
import { addManCommand } from './man-page.js';
import { addManagingCommands } from './managing.js';
import { addMcpCommand } from './mcp.js';
import { addOpeningCommands } from './opening.js';
import { addSendingCommands } from './sending.js';

/** Set when it is built. */
declare const VERSION: string;

// In place of the arguments, which everyone on the machine could read: a link opens its secret.
process.title = 'sealpush';
process.umask(0o077);

const program = new Command('sealpush')
  .description('Send and open secrets, encrypted end to end.')
  .version(VERSION)
  .option('--server <url>', 'the installation; SEALPUSH_URL, or where you signed in last, if left out')
  .addHelpText('after', '\nThe man page has the exit codes and the environment: sealpush man | man -l -')
  .exitOverride()
  .showHelpAfterError('(add --help for what is possible)');

const context = new Context(withoutEmpty(process.env), program);
addSendingCommands(program, context);
addOpeningCommands(program, context);
addManagingCommands(program, context);
addAccountCommands(program, context);
addMcpCommand(program, context, VERSION);
addCompletionCommand(program);
addManCommand(program, VERSION);

process.stdout.on('error', (error: { code?: string }) => {
  if (error.code === 'EPIPE') process.exit(); // as head and others do
});

// A promise, because a script in CommonJS, which a single executable needs, cannot wait outside of functions.
program.parseAsync().catch((error: unknown) => {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : EXIT.usage;
  else {
    context.terminal.say(`sealpush: ${(error as Error).message}`);
    process.exitCode = exitCodeOf(error);
  }
});

/** A variable that is empty is as one that is not set. */
function withoutEmpty(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
}
