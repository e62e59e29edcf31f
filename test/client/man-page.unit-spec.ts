import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { EXIT_CODES } from '../../packages/client/src/cli/exit-codes.js';
import { ENVIRONMENT } from '../../packages/client/src/cli/man-page.js';
import { findProgram } from '../support/find-program.js';
import { SCRIPT } from './support/sealpush.js';

const PAGE = 'packages/client/dist/sealpush.1';
const man = findProgram('man', 'the man page of the command can be read');

const source = readFileSync(PAGE, 'utf8');
const documentation = readFileSync('docs/cli.md', 'utf8');

/** The commands that the help names. */
const commands = execFileSync(process.execPath, [SCRIPT, '--help'], { encoding: 'utf8' })
  .split('Commands:')[1]
  ?.matchAll(/^ {2}([a-z]+)/gm);

/** The rows of a table in docs/cli.md, without its head. */
function rowsBelow(heading: string): [string, string][] {
  const section = documentation.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const rows = section.matchAll(/^\| (\S+) +\| (.+?) +\|$/gm);
  return [...rows].slice(2).map(([, key = '', text = '']) => [plain(key), plain(text)]);
}

function plain(text: string): string {
  return text.replaceAll('`', '');
}

describe('The man page', () => {
  it('has each command with its options', () => {
    const names = [...(commands ?? [])].map(([, name = '']) => name);

    expect(names).toEqual(expect.arrayContaining(['push', 'open', 'run', 'ask', 'mcp', 'man']));
    for (const name of names) expect(source).toMatch(new RegExp(`^\\.SS "${name}[" ]`, 'm'));
    expect(source).toContain('.B "\\-f, \\-\\-file <path...>"');
  });

  it('has the exit codes and the environment as docs/cli.md', () => {
    expect(rowsBelow('Exit codes')).toEqual([...EXIT_CODES].map(([code, when]) => [String(code), when]));
    expect(rowsBelow('Environment').slice(-ENVIRONMENT.size)).toEqual([...ENVIRONMENT]);
    expect(source).toContain('.B "SEALPUSH_TOKEN"');
  });

  it('is what `sealpush man` prints', () => {
    expect(execFileSync(process.execPath, [SCRIPT, 'man'], { encoding: 'utf8' })).toBe(source);
  });

  (man === undefined ? it.skip : it)('is formatted without a warning', () => {
    const { status, stdout, stderr } = spawnSync(man ?? '', ['--warnings=w', '-l', PAGE], {
      encoding: 'utf8',
      env: { ...process.env, MANWIDTH: '80', LC_ALL: 'C.UTF-8', MAN_KEEP_FORMATTING: undefined },
    });

    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain('push [options]');
    expect(stdout).toContain('pass show shop | sealpush push --views 1');
  });
});
