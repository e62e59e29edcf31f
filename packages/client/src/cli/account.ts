import type { Command } from 'commander';
import { SealpushClient } from '../client.js';
import { ResponseError } from '../errors.js';
import type { Context } from './context.js';
import { UsageError } from './exit-codes.js';

/** Commands that keep an API token. */
export function addAccountCommands(program: Command, context: Context): void {
  const { terminal, credentials } = context;

  program
    .command('login')
    .description('Keep an API token of an installation, which is asked for, or read from stdin.')
    .argument('<url>', 'the installation, such as https://push.example.org')
    .action(async (given: string) => {
      const server = given.replace(/\/+$/, '');
      const token = (
        terminal.isInputATerminal
          ? await terminal.askSecret(`API token, from ${server}/users/token`)
          : await terminal.readInput()
      ).trim();
      if (token === '') throw new UsageError('The token is empty.');
      await assertWorks(server, token);
      terminal.say(`The token works, and was kept in ${await credentials.keep(server, token)}.`);
    });

  program
    .command('logout')
    .description('Forget the API token of an installation. It stays valid until it is deleted there.')
    .argument('[url]', 'the installation; the one that was last signed in at if left out')
    .action(async (given: string | undefined) => {
      const server = given?.replace(/\/+$/, '') ?? (await context.server());
      await credentials.forget(server);
      terminal.say(`The token of ${server} was forgotten.`);
    });
}

/** A token may be limited to creating pushes: then it may not read lists. */
async function assertWorks(server: string, token: string): Promise<void> {
  try {
    await new SealpushClient({ server, token }).list('active');
  } catch (error) {
    if (!(error instanceof ResponseError && error.code === 'forbidden')) throw error;
  }
}
