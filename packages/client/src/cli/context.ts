import type { Command } from 'commander';
import { SealpushClient } from '../client.js';
import { Credentials } from './credentials.js';
import { UsageError } from './exit-codes.js';
import { Terminal } from './terminal.js';

/** What commands share. */
export class Context {
  readonly terminal = new Terminal();
  readonly credentials: Credentials;

  constructor(
    readonly environment: NodeJS.ProcessEnv,
    private readonly program: Command,
  ) {
    this.credentials = new Credentials(environment);
  }

  /** A client of the installation that was named, last signed in at, or that a link belongs to. */
  async client(link?: string): Promise<SealpushClient> {
    const server = await this.server(link);
    return new SealpushClient({ server, token: await this.token(server) });
  }

  async token(server: string): Promise<string | undefined> {
    return this.environment.SEALPUSH_TOKEN ?? (await this.credentials.token(server));
  }

  async server(link?: string): Promise<string> {
    const named = this.program.opts<{ server?: string }>().server ?? this.environment.SEALPUSH_URL;
    const server = named ?? (await this.credentials.server()) ?? (link && new URL(link).origin);
    if (server === undefined || server === '')
      throw new UsageError(
        'Which installation? Use --server URL, SEALPUSH_URL, or "sealpush login URL" once.',
      );
    return server.replace(/\/+$/, '');
  }

  /** A link that was given, or is asked for or read: as an argument other users of the machine could see it. */
  async linkFrom(given: string | undefined): Promise<string> {
    const link = given !== undefined && given !== '-' ? given : await this.readLink();
    return link.trim();
  }

  /**
   * The passphrase of a secret that is opened: from the environment, or asked for.
   */
  passphrase(question: string): Promise<string> {
    const { SEALPUSH_PASSPHRASE: given } = this.environment;
    return given === undefined ? this.terminal.askSecret(question) : Promise.resolve(given);
  }

  /** Whether a wrong passphrase was typed, and may be typed again. */
  get canAskAgain(): boolean {
    return this.environment.SEALPUSH_PASSPHRASE === undefined && this.terminal.isInputATerminal;
  }

  private readLink(): Promise<string> {
    return this.terminal.isInputATerminal ? this.terminal.askSecret('Link') : this.terminal.readInput();
  }
}
