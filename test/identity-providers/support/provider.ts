import { Daemon, until } from '../../support/daemon.js';
import type { Browser, Page } from './browser.js';

/** Who can sign in at a provider. */
export interface Person {
  name: string;
  email: string;
  groups: string[];
}

/** An installation as a provider knows it. */
export interface RegisteredClient {
  id: string;
  secret: string;
  /** The address of the installation. */
  site: string;
}

export const PASSWORD = 'eight calm blue lakes';

/** A provider of OpenID Connect as Debian has it, in a process of its own, with a folder of its own. */
export interface DebianProvider {
  issuer: string;
  /** Registers an installation, or changes what is registered of it. */
  register: (client: RegisteredClient) => Promise<void>;
  /** Adds somebody with PASSWORD, or changes their groups. */
  add: (person: Person) => Promise<void>;
  /** Signs in on the page to which an installation has sent the browser, and agrees to what is asked there. */
  signIn: (browser: Browser, page: Page, person: Person) => Promise<Page>;
  /** Agrees to sign out, on the page to which an installation has sent the browser. */
  agreeToSignOut: (browser: Browser, page: Page) => Promise<Page>;
  /** Signs with a new key from now on, and forgets the old one. */
  rotateKeys: () => Promise<void>;
  /** Starts it again with another clock, such as `+3m`. */
  restart: (clock?: string) => Promise<void>;
  stop: () => Promise<void>;
}

interface ProgramOptions {
  command: string;
  args: string[];
  log: string;
  env?: NodeJS.ProcessEnv;
  /** Responds as soon as it is ready. */
  ready: string;
  stopWith?: NodeJS.Signals;
}

/** The program of a provider, which can be started again with another clock. */
export class Program {
  private daemon: Daemon | undefined;

  constructor(private readonly options: ProgramOptions) {}

  /** Stops it first if it runs. Fails if it is not ready in time. */
  async start(clock = ''): Promise<void> {
    await this.stop();
    const { command, args, log, env, ready } = this.options;
    this.daemon = new Daemon(command, args, log, { ...env, ...withClock(clock) });
    try {
      await until(async () => (await fetch(ready)).ok);
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    await this.daemon?.stop(this.options.stopWith);
  }
}

function withClock(clock: string): NodeJS.ProcessEnv {
  if (clock === '') return {};
  return {
    LD_PRELOAD: '/usr/$LIB/faketime/libfaketime.so.1', // the dynamic linker replaces $LIB
    FAKETIME: clock,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  };
}
