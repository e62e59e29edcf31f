import { randomUUID } from 'node:crypto';
import { User } from '../../../src/auth/entities/user.entity.js';
import { InstanceAuditEntry } from '../../../src/platform/instance-audit/instance-audit-entry.entity.js';
import { OidcSettings } from '../../../src/features/oidc/oidc.settings.js';
import { Settings } from '../../../src/platform/settings/settings.js';
import { UsersService } from '../../../src/auth/users/users.service.js';
import { PASSWORD } from '../../support/page-client.js';
import type { RunningApp } from '../../support/start-app.js';
import { startApp } from '../../support/start-app.js';
import { Browser } from './browser.js';
import type { DebianProvider, Person } from './provider.js';

const LETTERS = Array.from({ length: 94 }, (_, index) => String.fromCharCode(0x7e - index)).join('');
/** With every character of ASCII that can be printed; an id has no space. */
const CLIENT = { id: LETTERS, secret: LETTERS.replace('P', 'P ') };

/** Sealpush with a provider, of whose people members of `staff` may sign in, and those of `admins` are administrators. */
export class Installation {
  private constructor(
    readonly provider: DebianProvider,
    readonly running: RunningApp,
  ) {}

  static async start(provider: DebianProvider): Promise<Installation> {
    const running = await startApp({
      PUBLIC_URL: 'http://127.0.0.1', // its port is known later
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: CLIENT.id,
      OIDC_CLIENT_SECRET: CLIENT.secret,
      OIDC_ALLOWED_GROUPS: 'staff',
      OIDC_ADMIN_GROUP: 'admins',
    });
    const installation = new Installation(provider, running);
    running.app.get(Settings).PUBLIC_URL = running.url;
    await installation.register(CLIENT.id);
    return installation;
  }

  get url(): string {
    return this.running.url;
  }

  /** Registers it at the provider by an id. */
  async register(id: string): Promise<void> {
    await this.provider.register({ id, secret: CLIENT.secret, site: this.url });
    this.set({ OIDC_CLIENT_ID: id });
  }

  get settings(): OidcSettings {
    return this.running.app.get(OidcSettings);
  }

  set(settings: Partial<OidcSettings>): void {
    Object.assign(this.settings, settings);
  }

  /** Does something with other settings. */
  async with<Result>(settings: Partial<OidcSettings>, action: () => Promise<Result>): Promise<Result> {
    const before = Object.keys(settings).map((name) => [name, this.settings[name as keyof OidcSettings]]);
    this.set(settings);
    try {
      return await action();
    } finally {
      this.set(Object.fromEntries(before));
    }
  }

  /** Somebody new at the provider. */
  async newPerson(groups = ['staff']): Promise<Person> {
    const name = `p${randomUUID().slice(0, 8)}`;
    const person = { name, email: `${name}@example.org`, groups };
    await this.provider.add(person);
    return person;
  }

  /** An account with a password and the address of somebody. */
  async createAccount({ email }: Person): Promise<void> {
    await this.running.app.get(UsersService).create({ email, password: PASSWORD });
  }

  accountsOf({ email }: Person): Promise<User[]> {
    return this.running.dataSource.manager.findBy(User, { email });
  }

  /** A browser whose owner has signed in at the provider, and what it shows. */
  async signIn(person: Person, browser = new Browser()) {
    const atProvider = await browser.visit(`${this.url}/users/sign_in/provider`);
    const page = await this.provider.signIn(browser, atProvider, person);
    return { browser, page };
  }

  async isSignedIn(browser: Browser): Promise<boolean> {
    const { url } = await browser.visit(`${this.url}/users/edit`);
    return url === `${this.url}/users/edit`;
  }

  async isAdministrator(browser: Browser): Promise<boolean> {
    const { status } = await browser.visit(`${this.url}/admin`);
    return status === 200;
  }

  /** Expects that a refused sign-in is what the audit log says last. */
  async expectRefusal(reason: string): Promise<void> {
    const [last] = await this.audit();
    expect(last).toMatchObject({ kind: 'provider_sign_in_refused', details: { reason } });
  }

  /** The audit log of the installation, the newest entry first. */
  audit(): Promise<InstanceAuditEntry[]> {
    return this.running.dataSource.manager.find(InstanceAuditEntry, { order: { id: 'DESC' } });
  }

  async stop(): Promise<void> {
    await this.running.stop();
    await this.provider.stop();
  }
}
