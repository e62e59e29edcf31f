import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** Debian's `age`. It reads passphrases only from a terminal, which `script` gives it. */
export const hasAge = ['age', 'script'].every((program) =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program))),
);

/** Says loudly that the tests with it are skipped; CI runs must have it. */
export function sayIfAgeIsMissing(): void {
  if (hasAge) return;
  const message = 'NO AGE: not tested that the program age opens what we seal, and we what it seals';
  if (process.env.CI) throw new Error(message);
  console.error(`!!! ${message} !!!`);
}

/** Returns the content of an age file. */
export function decryptWithAge(file: string | Uint8Array, passphrase: string): Promise<Buffer> {
  return runAge('--decrypt', file, [passphrase]);
}

/** Returns an armored age file. */
export function encryptWithAge(content: string, passphrase: string): Promise<Buffer> {
  return runAge('--passphrase --armor', content, [passphrase, passphrase]);
}

async function runAge(options: string, input: string | Uint8Array, typed: string[]): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'sealpush-age-'));
  try {
    await writeFile(join(folder, 'in'), input);
    await inTerminal(`age ${options} in >out`, folder, typed);
    return await readFile(join(folder, 'out'));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Answers each question of a command with the next line. */
async function inTerminal(command: string, cwd: string, lines: string[]): Promise<void> {
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], { cwd });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    const line = /: ?$/.test(text) ? lines.shift() : undefined;
    if (line !== undefined) child.stdin.write(`${line}\r`);
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`age has failed: ${output}`);
}
