import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** Where .ci/age unpacks a version that has hybrid keys. */
const UNPACKED = join(process.env.SEALPUSH_AGE_ROOT ?? '/var/lib/sealpush-age', 'usr/bin');
const PATH = (process.env.PATH ?? '').split(delimiter);

/** The programs age and age-keygen, with key files. */
export class Age {
  constructor(
    private readonly folder: string,
    /** Options with which age-keygen makes a key. */
    private readonly options: string[],
  ) {}

  get isInstalled(): boolean {
    return spawnSync(join(this.folder, 'age-keygen'), this.options).status === 0;
  }

  newKeyFile(): string {
    return this.run('age-keygen', this.options).toString();
  }

  recipientOf(keyFile: string): string {
    return this.run('age-keygen', ['-y'], keyFile).toString().trim();
  }

  /** Returns an armored file. */
  encrypt(content: string, recipient: string): string {
    return this.run('age', ['--armor', '--recipient', recipient], content).toString();
  }

  /** @throws Error with what the program has said */
  decrypt(file: string, keyFile: string): string {
    const folder = mkdtempSync(join(tmpdir(), 'sealpush-age-'));
    try {
      writeFileSync(join(folder, 'key.txt'), keyFile);
      return this.run('age', ['--decrypt', '--identity', join(folder, 'key.txt')], file).toString();
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  private run(program: string, options: string[], input = ''): Buffer {
    return execFileSync(join(this.folder, program), options, { input, stdio: 'pipe' });
  }
}

/** One with X25519 keys, as every version has them; undefined if it is missing, which CI runs must not be. */
export const findAge = () => find('AGE', 'X25519', [...PATH, UNPACKED], []);

/** One that has hybrid keys as well: version 1.3 or newer. */
export const findHybridAge = () => find('AGE 1.3', 'hybrid', [UNPACKED, ...PATH], ['-pq']);

function find(name: string, kind: string, folders: string[], options: string[]): Age | undefined {
  const found = folders.map((folder) => new Age(folder, options)).find((age) => age.isInstalled);
  if (found) return found;

  const message = `NO ${name}: not tested that age opens what we encrypt to ${kind} recipients, and we what it encrypts`;
  if (process.env.CI) throw new Error(message);
  console.error(`!!! ${message} !!!`);
  return undefined;
}
