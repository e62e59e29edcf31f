import { randomInt } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Command } from 'commander';
import { Option } from 'commander';
import { ASCII_LETTERS, characterClasses, Passwords } from '../../../../src/shared/generator.js';
import { renderUnicodeCompact } from 'uqr';
import type { SealpushClient } from '../client.js';
import type { Secret } from '../new-push.js';
import type { NewRequest, RequestResult } from '../requests.js';
import type { Context } from './context.js';
import { UsageError } from './exit-codes.js';
import { durationOf, lifetimeOf } from './lifetime.js';
import { neededPassphrase, printAnswers } from './opening.js';
import { wholeNumber } from './options.js';

/** More than a text may have; a longer input is a file. */
export const MAX_TEXT = 1_048_576;
const GENERATED_LENGTH = 20;

interface PushOptions {
  file?: string[];
  url?: boolean;
  passphrase?: 'ask' | 'generate' | true;
  views?: number;
  for?: string;
  to?: string[];
  name?: string;
  deletable?: boolean;
  step?: boolean;
  serverEncrypted?: boolean;
  json?: boolean;
  qr?: boolean;
}

/** Commands that send secrets. */
export function addSendingCommands(program: Command, context: Context): void {
  program
    .command('push')
    .description('Send a secret, read from stdin, asked for, or from files. Prints its link.')
    .option('-f, --file <path...>', 'send files; a text on stdin goes with them')
    .option('--url', 'what is read is a web address that the link leads to')
    .addOption(
      new Option(
        '-p, --passphrase [how]',
        'that the recipient needs besides the link: asked for, or generated and shown',
      )
        .choices(['ask', 'generate'])
        .preset('ask'),
    )
    .option('--views <number>', 'how often it can be opened', wholeNumber('--views'))
    .option('--for <time>', 'how long it can be opened: 15m, 30m, 45m, 1h, 6h, 12h, or 1d to 90d')
    .option('--to <email...>', 'who alone may open it, with a code that the server mails to them; or @DOMAIN')
    .option('--name <text>', 'a label for you, which the server can read')
    .option('--deletable', 'whoever has the link may delete it')
    .option('--step', 'the page of the link asks before it opens the secret')
    .option('--server-encrypted', 'let the server encrypt it, for servers that know no end-to-end encryption')
    .option('--json', 'print what was created as JSON')
    .option('--qr', 'print a QR code of the link as well')
    .action(async (options: PushOptions) => {
      const { terminal } = context;
      const client = await context.client();
      const secret = await secretFrom(options, context);
      const passphrase = await newPassphrase(options.passphrase, context);
      const result = await client
        .push({
          ...secret,
          passphrase,
          ...(options.for !== undefined && lifetimeOf(options.for)),
          expireAfterViews: options.views,
          recipients: options.to,
          name: options.name,
          deletableByViewer: options.deletable,
          retrievalStep: options.step,
          encryption: options.serverEncrypted ? 'server' : 'end-to-end',
          onProgress: (sent, total) => {
            terminal.showProgress('Sending', sent, total);
          },
        })
        .finally(() => {
          terminal.clearProgress();
        });
      const isGenerated = options.passphrase === 'generate';
      if (options.json) {
        const { link, urlToken, expiresAt, viewsRemaining, isEncrypted } = result;
        terminal.print(
          JSON.stringify({
            link,
            url_token: urlToken,
            expires_at: expiresAt,
            views_remaining: viewsRemaining,
            end_to_end: isEncrypted,
            ...(isGenerated && { passphrase }),
          }),
        );
      } else {
        terminal.print(result.link);
        if (isGenerated) terminal.say(`Passphrase: ${passphrase}`);
      }
      if (options.qr) terminal.say(qrCodeOf(result.link));
    });

  program
    .command('ask')
    .description(
      'Ask somebody for a secret. Prints the link to answer, and keeps the key that alone opens the answers.',
    )
    .argument('<what>', 'what is asked, which the server can read')
    .option('--answers <number>', 'how many answers it takes', wholeNumber('--answers'))
    .option('--for <time>', 'how long it can be answered: 15m to 12h, or 1d to 7d, 14d, 21d, 30d, 60d, 90d')
    .option('--name <text>', 'a label for you')
    .option('--wait', 'wait for the first answer, and print it')
    .option('--json', 'print what was created as JSON')
    .action(async (what: string, options: AskOptions) => {
      const { terminal } = context;
      const client = await context.client();
      const { link, urlToken, closesAt } = await askAndKeepKey(context, client, {
        request: what,
        answers: options.answers,
        name: options.name,
        closeAfterDuration: options.for === undefined ? undefined : durationOf(options.for),
      });
      if (options.json) terminal.print(JSON.stringify({ link, url_token: urlToken, closes_at: closesAt }));
      else terminal.print(link);
      if (options.wait) await waitForAnswer(context, link, closesAt);
    });

  program
    .command('answer')
    .description('Answer a request, with a secret read from stdin, asked for, or from files.')
    .argument('<link>', 'the link to answer')
    .option('-f, --file <path...>', 'answer with files; a text on stdin goes with them')
    .action(async (given: string, options: { file?: string[] }) => {
      const { terminal } = context;
      const link = await context.linkFrom(given);
      const client = await context.client(link);
      const passphrase = await neededPassphrase(context, (known) => client.show(link, known));
      const secret = await secretFrom(options, context);
      await client
        .answer(link, {
          ...secret,
          passphrase,
          onProgress: (sent, total) => {
            terminal.showProgress('Sending', sent, total);
          },
        })
        .finally(() => {
          terminal.clearProgress();
        });
      terminal.say('Your answer was sent.');
    });
}

/** Asks for a secret. A request whose key could not be kept is closed again: nobody could read its answers. */
export async function askAndKeepKey(
  { credentials }: Context,
  client: SealpushClient,
  request: NewRequest,
): Promise<RequestResult> {
  const result = await client.request(request);
  try {
    if (result.keyFile !== undefined) await credentials.keepKey(result.urlToken, result.keyFile);
  } catch (error) {
    await client.closeRequest(result.urlToken).catch(() => undefined);
    throw error;
  }
  return result;
}

interface AskOptions {
  answers?: number;
  for?: string;
  name?: string;
  wait?: boolean;
  json?: boolean;
}

const POLL_MS = 5000;

async function waitForAnswer(context: Context, link: string, closesAt: string): Promise<void> {
  const { terminal } = context;
  const client = await context.client();
  terminal.say('Waiting for the answer. It stays if you stop waiting: "sealpush answers LINK" shows it.');
  while (Date.now() < Date.parse(closesAt)) {
    const { answersCame } = await client.requestState(link);
    if (answersCame > 0) return printAnswers(context, link);
    await setTimeout(POLL_MS);
  }
  throw new UsageError('The request has closed without an answer.');
}

async function secretFrom(
  options: { file?: string[]; url?: boolean },
  { terminal }: Context,
): Promise<Secret> {
  const files = await Promise.all((options.file ?? []).map(fileAt));
  if (files.length > 0 && terminal.isInputATerminal) return { files };
  const text = terminal.isInputATerminal
    ? await terminal.askSecret('Secret')
    : withoutLastLineBreak(await terminal.readInput());
  if (Array.from(text).length > MAX_TEXT)
    throw new UsageError(`A text may have ${MAX_TEXT} characters. Send it as a file: --file PATH.`);
  if (text.includes('\ufffd'))
    throw new UsageError('What is on stdin is not a text in UTF-8. Send it as a file: --file PATH.');
  if (files.length > 0) return text === '' ? { files } : { files, text };
  return options.url ? { url: text.trim() } : { text };
}

async function fileAt(path: string): Promise<File> {
  const found = await stat(path).catch((error: unknown) => {
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}`);
  });
  if (!found.isFile()) throw new UsageError(`${path} is not a file.`);
  return new File([await openAsBlob(path)], basename(path));
}

/** As shells do with what a command prints. */
function withoutLastLineBreak(text: string): string {
  return text.replace(/\r?\n$/, '');
}

async function newPassphrase(
  how: PushOptions['passphrase'],
  { terminal, environment }: Context,
): Promise<string | undefined> {
  if (how === undefined) return undefined;
  if (how === 'generate') return generatedPassphrase();
  const given = environment.SEALPUSH_PASSPHRASE;
  if (given !== undefined && given !== '') return given;
  const first = await terminal.askSecret('Passphrase');
  if (first === '') throw new UsageError('The passphrase is empty.');
  if ((await terminal.askSecret('The same again')) !== first) throw new UsageError('The passphrases differ.');
  return first;
}

function generatedPassphrase(): string {
  const classes = characterClasses({
    letters: ASCII_LETTERS,
    uppercase: true,
    lowercase: true,
    digits: true,
    symbols: false,
    avoidAmbiguous: true,
    minDigits: 1,
    minSymbols: 1,
  });
  return new Passwords(classes, GENERATED_LENGTH).next((bound) => randomInt(bound));
}

/** Two modules above each other are one character. */
function qrCodeOf(link: string): string {
  return renderUnicodeCompact(link, { ecc: 'L', border: 2 });
}
