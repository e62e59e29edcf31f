import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { constants } from 'node:os';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { SealpushError } from '../errors.js';
import { parsePushLink, parseRequestLink } from '../link.js';
import type { OpenedFile, OpenedPush, OpenOptions } from '../opened-push.js';
import type { Context } from './context.js';
import { UsageError } from './exit-codes.js';
import { saveAs } from './save-file.js';

/** Commands that open secrets. */
export function addOpeningCommands(program: Command, context: Context): void {
  program
    .command('open')
    .description('Open a link, which counts as a view. A text goes to stdout, files are saved.')
    .argument('[link]', 'the link; asked for, or read from stdin, if it is left out or -')
    .option('-o, --output <folder>', 'where files are saved; the current folder if left out')
    .option('--json', 'print what was opened as JSON')
    .action(async (given: string | undefined, options: { output?: string; json?: boolean }) => {
      const opened = await openLink(context, await context.linkFrom(given));
      await printOpened(context, opened, options);
    });

  program
    .command('answers')
    .description(
      'Print the answers to a request of yours, decrypted with the key that "sealpush ask" has kept.',
    )
    .argument('<link>', 'the link to answer, or the URL token of the request')
    .option('--key <path>', 'the key file, if "sealpush ask" has not kept it here')
    .option('-o, --output <folder>', 'where files are saved')
    .action(async (link: string, options: { key?: string; output?: string }) => {
      await printAnswers(context, link, options);
    });

  program
    .command('run')
    .description(
      'Run a command with the secret of a link as an environment variable, or on a file descriptor.',
    )
    .argument('<link>', 'the link; - reads it from stdin')
    .argument('<command...>', 'the command, after --')
    .option('--env <name>', 'the environment variable', 'SECRET')
    .option(
      '--fd <number>',
      'a file descriptor from which the command reads the secret, instead of the variable',
    )
    .action(async (given: string, command: string[], options: { env: string; fd?: string }) => {
      process.exitCode = await runWith(context, given, command, options);
    });
}

/** Asks for what the link needs besides: no view is used before it is there. */
async function openLink(context: Context, link: string): Promise<OpenedPush> {
  const client = await context.client(link);
  const options: OpenOptions = {};
  const { fragment } = parsePushLink(link);
  if (fragment?.needsPassphrase) options.passphrase = await context.passphrase('Passphrase');
  for (;;) {
    try {
      return await client.open(link, options);
    } catch (error) {
      const code = error instanceof SealpushError ? error.code : undefined;
      if (code === 'passphrase_needed' && options.passphrase === undefined) {
        options.passphrase = await context.passphrase('Passphrase');
      } else if (code === 'passphrase_wrong' && context.canAskAgain) {
        context.terminal.say('The passphrase is wrong.');
        options.passphrase = await context.terminal.askSecret('Passphrase');
      } else if (code === 'code_needed' && options.recipient === undefined) {
        const email = await context.terminal.ask('Your email address, to which a code is sent');
        await client.askCode(link, email);
        options.recipient = { email, code: (await context.terminal.ask('The code of the mail')).trim() };
      } else throw error;
    }
  }
}

async function printOpened(
  { terminal }: Context,
  { kind, text, files, isEncrypted, viewsRemaining, missingFiles }: OpenedPush,
  { output, json }: { output?: string; json?: boolean },
): Promise<void> {
  const [only] = files;
  if (
    only &&
    files.length === 1 &&
    text === '' &&
    !json &&
    output === undefined &&
    !terminal.isOutputATerminal
  ) {
    await pipeline(pieces(await only.stream()), process.stdout, { end: false });
    return;
  }
  const saved: string[] = [];
  for (const file of files) saved.push(await save(terminal, file, output ?? '.'));
  for (const name of missingFiles)
    terminal.say(`${name} was missing on the server that this push was imported from.`);
  if (json) {
    const content = { kind, text, files: saved, end_to_end: isEncrypted, views_remaining: viewsRemaining };
    terminal.print(JSON.stringify(content));
  } else if (text !== '' || files.length === 0) terminal.printExactly(text);
}

async function* pieces(content: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* content;
}

async function save(terminal: Context['terminal'], file: OpenedFile, folder: string): Promise<string> {
  try {
    const path = await saveAs(file, folder, (done) => {
      if (file.size !== undefined) terminal.showProgress(file.name, done, file.size);
    });
    terminal.say(`Saved ${path}`);
    return path;
  } finally {
    terminal.clearProgress();
  }
}

export async function printAnswers(
  context: Context,
  request: string,
  { key, output }: { key?: string; output?: string } = {},
): Promise<void> {
  const client = await context.client(/^https?:/i.test(request) ? request : undefined);
  const urlToken = /^https?:/i.test(request) ? parseRequestLink(request).urlToken : request;
  const keyFile = await readFile(key ?? context.credentials.keyPath(urlToken), 'utf8').catch(
    (error: unknown) => {
      if (key !== undefined) throw new UsageError(`${key} cannot be read: ${(error as Error).message}`);
      return undefined; // the answers may not be encrypted
    },
  );
  const unreadable: SealpushError[] = [];
  const onUnreadable = (token: string, error: SealpushError) => {
    unreadable.push(error);
    context.terminal.say(`The answer ${token} cannot be read: ${error.message}`);
  };
  const answers = await client.answers(request, keyFile, { onUnreadable });
  if (answers.length === 0 && unreadable[0]) throw unreadable[0];
  for (const answer of answers) await printOpened(context, answer, { output });
}

/** The passphrase of a request, asked for only if it has one. */
export async function neededPassphrase(
  context: Context,
  attempt: (passphrase: string | undefined) => Promise<unknown>,
): Promise<string | undefined> {
  try {
    await attempt(undefined);
    return undefined;
  } catch (error) {
    if (!(error instanceof SealpushError) || error.code !== 'passphrase_needed') throw error;
    const passphrase = await context.passphrase('Passphrase');
    await attempt(passphrase);
    return passphrase;
  }
}

async function runWith(
  context: Context,
  given: string,
  [program = '', ...args]: string[],
  { env, fd }: { env: string; fd?: string },
): Promise<number> {
  const descriptor = fd === undefined ? undefined : Number(fd);
  if (descriptor !== undefined && !(Number.isInteger(descriptor) && descriptor >= 3 && descriptor <= 9))
    throw new UsageError('--fd must be a number from 3 to 9.');
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(env)) throw new UsageError('--env must be the name of a variable.');
  const { text, files } = await openLink(context, await context.linkFrom(given));
  if (text === '' && files.length > 0)
    throw new UsageError('This link has files, which "sealpush run" does not pass on. Its view was used.');
  if (descriptor === undefined && text.includes('\0'))
    throw new UsageError('A variable cannot have the character U+0000. Use --fd. The view was used.');
  const { SEALPUSH_TOKEN: _token, SEALPUSH_PASSPHRASE: _passphrase, ...environment } = context.environment;
  const variables = descriptor === undefined ? { ...environment, [env]: text } : environment;
  return runChild(program, args, variables, descriptor, text);
}

function runChild(
  program: string,
  args: string[],
  variables: NodeJS.ProcessEnv,
  descriptor: number | undefined,
  secret: string,
): Promise<number> {
  const stdio: ('inherit' | 'ignore' | 'pipe')[] = ['inherit', 'inherit', 'inherit'];
  if (descriptor !== undefined)
    while (stdio.length <= descriptor) stdio.push(stdio.length === descriptor ? 'pipe' : 'ignore');
  const child = spawn(program, args, { stdio, env: variables });
  if (descriptor !== undefined) {
    const pipe = child.stdio[descriptor] as Writable;
    pipe.on('error', () => undefined); // the command may end without reading it
    pipe.end(secret);
  }
  const signals: NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.on('error', (error) => {
      reject(new UsageError(`${program} cannot be run: ${error.message}. The view was used.`));
    });
    child.on('exit', (code, signal) => {
      resolve(code ?? 128 + constants.signals[signal ?? 'SIGTERM']);
    });
  });
}
