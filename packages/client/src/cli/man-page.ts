import type { Command } from 'commander';
import { EXIT_CODES } from './exit-codes.js';

/** The variables that the command reads, as docs/cli.md has them too. */
export const ENVIRONMENT: ReadonlyMap<string, string> = new Map([
  ['SEALPUSH_URL', 'the installation, as --server'],
  ['SEALPUSH_TOKEN', 'the API token'],
  ['SEALPUSH_PASSPHRASE', 'the passphrase of what is opened or sent, in place of asking'],
  [
    'SEALPUSH_CONFIG',
    'the folder of the configuration; sealpush in XDG_CONFIG_HOME or ~/.config if it is not set',
  ],
  ['NODE_EXTRA_CA_CERTS', 'a file with certificates of your own CA (Node.js)'],
  ['NODE_USE_ENV_PROXY', '1 has Node.js 22.21 and later use HTTPS_PROXY'],
]);

const FILES: ReadonlyMap<string, string> = new Map([
  ['~/.config/sealpush/credentials.json', 'API tokens, where there is no keyring, and the installation'],
  ['~/.config/sealpush/keys/', 'the keys of requests, which alone open their answers'],
]);

const EXAMPLES: ReadonlyMap<string, string> = new Map([
  ['pass show shop | sealpush push --views 1', 'Send a secret that can be opened once.'],
  ['sealpush open', 'Ask for a link, so that it is in no history, and open it.'],
  ['sealpush run LINK -- deploy --verbose', 'Run a command with the secret in the variable SECRET.'],
]);

export function addManCommand(program: Command, version: string): void {
  program
    .command('man')
    .description('Print the man page: sealpush man | man -l -')
    .action(() => {
      process.stdout.write(manPageOf(program, version));
    });
}

/** The man page of a program, in the macros of man(7): what its definitions say, so that it has each command and option. */
function manPageOf(program: Command, version: string): string {
  const help = program.createHelp();
  const name = program.name();
  return [
    `.TH ${name.toUpperCase()} 1 "" ${quoted(`${name} ${version}`)} "User Commands"`,
    '.SH NAME',
    `${escaped(name)} \\- ${escaped(withoutFullStop(program.description()))}`,
    '.SH SYNOPSIS',
    `.B ${name}`,
    escaped(program.usage()),
    '.SH OPTIONS',
    ...optionsOf(program),
    '.SH COMMANDS',
    ...help
      .visibleCommands(program)
      .flatMap((command) => [
        `.SS ${quoted(help.subcommandTerm(command))}`,
        escaped(help.commandDescription(command)),
        ...help
          .visibleArguments(command)
          .flatMap((argument) => entry(help.argumentTerm(argument), help.argumentDescription(argument))),
        ...optionsOf(command),
      ]),
    '.SH EXIT STATUS',
    ...entries(EXIT_CODES),
    '.SH ENVIRONMENT',
    ...entries(ENVIRONMENT),
    '.SH FILES',
    ...entries(FILES),
    '.SH EXAMPLES',
    ...entries(EXAMPLES),
    '',
  ].join('\n');
}

function optionsOf(command: Command): string[] {
  const help = command.createHelp();
  return help
    .visibleOptions(command)
    .flatMap((option) => entry(help.optionTerm(option), help.optionDescription(option)));
}

function entries(list: ReadonlyMap<string | number, string>): string[] {
  return [...list].flatMap(([term, description]) => entry(String(term), description));
}

function entry(term: string, description: string): string[] {
  return ['.TP', `.B ${quoted(term)}`, escaped(description)];
}

/** An argument of a macro. */
function quoted(text: string): string {
  return `"${escaped(text).replaceAll('"', '\\(dq')}"`;
}

/** A line of text that is no request to the formatter, with hyphens and quotes that can be copied. */
function escaped(text: string): string {
  return text
    .replaceAll('\\', '\\(rs')
    .replaceAll('-', '\\-')
    .replaceAll("'", '\\(aq')
    .replaceAll('`', '\\(ga')
    .replaceAll('~', '\\(ti')
    .replaceAll('^', '\\(ha')
    .replaceAll('\n', ' ')
    .replace(/^\./, '\\&.');
}

function withoutFullStop(sentence: string): string {
  return sentence.replace(/\.$/, '');
}
