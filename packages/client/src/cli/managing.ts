import type { Command } from 'commander';
import type { AuditEntry, OwnPush } from '../client.js';
import { parsePushLink } from '../link.js';
import type { Context } from './context.js';
import { wholeNumber } from './options.js';

/** Commands about pushes of one's own. */
export function addManagingCommands(program: Command, context: Context): void {
  const { terminal } = context;

  program
    .command('list')
    .description('List your pushes, newest first.')
    .option('--expired', 'those that have ended')
    .option('--page <number>', 'the page, of 50', wholeNumber('--page'))
    .option('--json', 'print them as JSON')
    .action(async (options: { expired?: boolean; page?: number; json?: boolean }) => {
      const client = await context.client();
      const pushes = await client.list(options.expired ? 'expired' : 'active', options.page);
      if (options.json) terminal.print(JSON.stringify(pushes));
      else for (const push of pushes) terminal.print(lineOf(push));
    });

  program
    .command('show')
    .description('Show whether a link can be opened, without using a view.')
    .argument('[link]', 'the link; asked for, or read from stdin, if it is left out or -')
    .action(async (given: string | undefined) => {
      const link = await context.linkFrom(given);
      const client = await context.client(link);
      const { isEncrypted } = await client.preview(link);
      const { fragment } = parsePushLink(link);
      terminal.print(isEncrypted ? 'encrypted end to end' : 'encrypted by the server');
      if (isEncrypted && !fragment)
        terminal.say('The link is incomplete: the key, which follows #, is missing.');
      if (fragment?.needsPassphrase) terminal.say('It needs a passphrase.');
    });

  program
    .command('expire')
    .description('End a push now.')
    .argument('<push>', 'its link or URL token')
    .action(async (push: string) => {
      const client = await context.client(/^https?:/i.test(push) ? push : undefined);
      await client.expire(push);
      terminal.say('The push has ended.');
    });

  program
    .command('audit')
    .description('Show what happened to a push of yours, oldest first.')
    .argument('<push>', 'its link or URL token')
    .option('--page <number>', 'the page, of 50', wholeNumber('--page'))
    .option('--json', 'print it as JSON')
    .action(async (push: string, options: { page?: number; json?: boolean }) => {
      const client = await context.client(/^https?:/i.test(push) ? push : undefined);
      const entries = await client.audit(push, options.page);
      if (options.json) terminal.print(JSON.stringify(entries));
      else for (const entry of entries) terminal.print(entryLineOf(entry));
    });

  program
    .command('generate')
    .description('Make a random password, passphrase or PIN on the server.')
    .option('--type <type>', 'password, passphrase or pin')
    .option('--count <number>', 'how many', wholeNumber('--count'))
    .option('--length <number>', 'characters of a password, digits of a PIN', wholeNumber('--length'))
    .option('--words <number>', 'words of a passphrase', wholeNumber('--words'))
    .action(
      async (options: {
        type?: 'password' | 'passphrase' | 'pin';
        count?: number;
        length?: number;
        words?: number;
      }) => {
        const client = await context.client();
        const { type, count, length, words: word_count } = options;
        const { results } = await client.generate({ type, count, length, word_count });
        for (const result of results) terminal.print(result);
      },
    );
}

/** Fields with a tab between them; what a stranger could have written cannot move the cursor. */
function lineOf({ url_token, kind, views_remaining, expires_at, name }: OwnPush): string {
  return [url_token, kind, `${views_remaining} views`, expires_at, printable(name)].join('\t');
}

function entryLineOf({ created_at, kind, ip, user_agent }: AuditEntry): string {
  return [created_at, kind, ip, printable(user_agent)].join('\t');
}

function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, ' ');
}
