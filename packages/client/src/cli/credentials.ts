import { execFile, spawn } from 'node:child_process';
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** What is kept between commands. */
interface Stored {
  /** The installation that commands without --server use. */
  server?: string;
  /** API tokens of installations, where the system has no keyring. */
  tokens?: Record<string, string>;
}

/** Where it is kept: a file that only its owner may read, and the keyring of the system for tokens if there is one. */
export class Credentials {
  constructor(
    private readonly environment: NodeJS.ProcessEnv,
    private readonly keyring: Keyring | undefined = keyringOf(process.platform),
  ) {}

  async server(): Promise<string | undefined> {
    return (await this.read()).server;
  }

  async token(server: string): Promise<string | undefined> {
    return (await this.keyring?.find(server)) ?? (await this.read()).tokens?.[server];
  }

  /** @returns where it is kept */
  async keep(server: string, token: string): Promise<string> {
    const stored = await this.read();
    const isInKeyring = (await this.keyring?.keep(server, token)) ?? false;
    const { [server]: _old, ...others } = stored.tokens ?? {};
    await this.write({ ...stored, server, tokens: isInKeyring ? others : { ...others, [server]: token } });
    return isInKeyring ? 'the keyring' : this.path;
  }

  async forget(server: string): Promise<void> {
    await this.keyring?.forget(server);
    const { tokens = {}, ...stored } = await this.read();
    const { [server]: _token, ...others } = tokens;
    await this.write({ ...stored, tokens: others, ...(stored.server === server && { server: undefined }) });
  }

  private get folder(): string {
    const { SEALPUSH_CONFIG, XDG_CONFIG_HOME } = this.environment;
    return SEALPUSH_CONFIG ?? join(XDG_CONFIG_HOME ?? join(homedir(), '.config'), 'sealpush');
  }

  private get path(): string {
    return join(this.folder, 'credentials.json');
  }

  /** A key file of a request is kept under the URL token of that. */
  keyPath(urlToken: string): string {
    return join(this.folder, 'keys', `${urlToken}.txt`);
  }

  async keepKey(urlToken: string, keyFile: string): Promise<string> {
    const path = this.keyPath(urlToken);
    await mkdir(join(this.folder, 'keys'), { recursive: true, mode: 0o700 });
    await writeFile(path, keyFile, { mode: 0o600, flag: 'wx' });
    return path;
  }

  private async read(): Promise<Stored> {
    try {
      return JSON.parse(await readFile(this.path, 'utf8')) as Stored;
    } catch (error) {
      if ((error as { code?: string }).code === 'ENOENT') return {};
      throw error;
    }
  }

  /** As a whole or not at all. */
  private async write(stored: Stored): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const temporary = `${this.path}.${process.pid}`;
    try {
      await writeFile(temporary, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600 });
      await chmod(temporary, 0o600);
      await rename(temporary, this.path);
    } finally {
      await rm(temporary, { force: true });
    }
  }
}

/** The keyring of a system. A token is never an argument of a program, which others could see. */
interface Keyring {
  find(server: string): Promise<string | undefined>;
  /** @returns false if there is none that can be used */
  keep(server: string, token: string): Promise<boolean>;
  forget(server: string): Promise<void>;
}

/** The Secret Service of Linux desktops, by its program `secret-tool`; other systems have the file. */
function keyringOf(platform: NodeJS.Platform): Keyring | undefined {
  if (platform !== 'linux') return undefined;
  const attributes = (server: string) => ['service', 'sealpush', 'server', server];
  return {
    find: async (server) => {
      const found = await promisify(execFile)('secret-tool', ['lookup', ...attributes(server)]).catch(
        () => undefined,
      );
      return found?.stdout === '' ? undefined : found?.stdout;
    },
    keep: (server, token) =>
      new Promise((resolve) => {
        const storing = spawn('secret-tool', ['store', '--label=Sealpush', ...attributes(server)], {
          stdio: ['pipe', 'ignore', 'ignore'],
        });
        storing.on('error', () => {
          resolve(false);
        });
        storing.on('exit', (code) => {
          resolve(code === 0);
        });
        storing.stdin.on('error', () => undefined);
        storing.stdin.end(token);
      }),
    forget: async (server) => {
      await promisify(execFile)('secret-tool', ['clear', ...attributes(server)]).catch(() => undefined);
    },
  };
}
