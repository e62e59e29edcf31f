import type { Daemon } from '../../support/daemon.js';
import { until } from '../../support/daemon.js';
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

/** The environment in which a program has another clock. */
export function withClock(clock: string): NodeJS.ProcessEnv {
  if (clock === '') return {};
  return {
    LD_PRELOAD: '/usr/$LIB/faketime/libfaketime.so.1', // the dynamic linker replaces $LIB
    FAKETIME: clock,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  };
}

/** Waits until a program that has just been started shows its metadata; stops it otherwise. */
export async function untilReady(metadata: URL, daemon: Daemon): Promise<void> {
  try {
    await until(async () => (await fetch(metadata)).ok);
  } catch (error) {
    await daemon.stop('SIGKILL');
    throw error;
  }
}
