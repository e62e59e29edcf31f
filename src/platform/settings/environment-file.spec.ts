import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnvironmentFile, shellCommands } from './environment-file.js';
import { makeFolder } from '../../../test/support/folder.js';
import { forAllTests } from '../../../test/support/for-tests.js';

/** The values that systemd reads, each as the variable A of a file. */
const VALUES: [text: string, value: string][] = [
  ['#0b5cad', '#0b5cad'],
  ['Team #1; all', 'Team #1; all'],
  [' spaced  out \t', 'spaced  out'],
  ["'Example Ltd # 1'", 'Example Ltd # 1'],
  ['"a \\" \\\\ \\$ \\n # b"', 'a " \\ $ \\n # b'],
  ['"two\nlines"', 'two\nlines'],
  ["'two\nlines'", 'two\nlines'],
  ['"joined\\\nlines"', 'joinedlines'],
  ['joined\\\n  lines', 'joined  lines'],
  ['a\\nb\\\\c\\ ', 'anb\\c '],
  ["it\"s 'so'", "it\"s 'so'"],
  ["'a' \"b\"  c 'd'", "abc 'd'"],
  ['x=y', 'x=y'],
  ['$HOME`id`', '$HOME`id`'],
  ['one\rB=2', 'one'],
];

const GENERATOR = '/usr/lib/systemd/user-environment-generators/30-systemd-environment-d-generator';

describe('A file of environment variables', () => {
  const folder = forAllTests(makeFolder);

  it.each(VALUES)('gives A=%j the value %j', (text, value) => {
    const variables = parseEnvironmentFile(`BEFORE=1\nA=${text}\nAFTER=1\n`);

    expect(variables.get('A')).toBe(value);
    expect([variables.get('BEFORE'), variables.get('AFTER')]).toEqual(['1', '1']);
    expect(parseEnvironmentFile(`A=${text}`).get('A')).toBe(value);
  });

  it('has comments, empty lines and values, and lines that set nothing', () => {
    const text = '# A=1\n;B=2\r\n\n  C = 3\nD=\nexport E=5\nnonsense\n1F=6\nG=7\nG=8';

    expect([...parseEnvironmentFile(text)]).toEqual([
      ['C', '3'],
      ['D', ''],
      ['G', '8'],
    ]);
    expect([...parseEnvironmentFile('')]).toEqual([]);
  });

  it('sets in a shell what is not set yet, and runs nothing', () => {
    const path = folder.file(`A='it''s $(touch ${folder.path}/touched)'\nB="it's"\nC=3\n`);
    const script = `${shellCommands(path, { C: '' })}printf '%s|' "$A" "$B" "\${C-none}"`;

    expect(execFileSync('sh', ['-c', script], { encoding: 'utf8' })).toBe(
      `its $(touch ${folder.path}/touched)|it's|none|`,
    );
    expect(existsSync(join(folder.path, 'touched'))).toBe(false);
    expect(shellCommands(join(folder.path, 'nothing'), {})).toBe('');
  });

  (existsSync(GENERATOR) ? it : it.skip)('is read as by systemd', () => {
    const shown = VALUES.filter(([text]) => !text.includes('$')); // which this program of systemd expands
    mkdirSync(join(folder.path, 'environment.d'));
    writeFileSync(
      join(folder.path, 'environment.d/a.conf'),
      shown.map(([text], i) => `A${i}=${text}\n`).join(''),
    );
    const env = { HOME: folder.path, XDG_CONFIG_HOME: folder.path };
    const output = execFileSync(GENERATOR, { env, encoding: 'utf8' });
    const read = shown.map((_, i) => new RegExp(`^A${i}=(.*)$`, 'm').exec(output)?.[1] ?? '');

    expect(read.map(unescaped)).toEqual(shown.map(([, value]) => value));
  });
});

/** That program writes values as strings of C, in quotes where needed. */
function unescaped(text: string): string {
  return text.startsWith('"')
    ? text.slice(1, -1).replaceAll(/\\(.)/g, (_, c: string) => (c === 'n' ? '\n' : c))
    : text;
}
