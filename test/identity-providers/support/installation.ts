import { randomUUID } from 'node:crypto';
import { User } from '../../../src/auth/entities/user.entity.js';
import { InstanceAuditEntry } from '../../../src/platform/instance-audit/instance-audit-entry.entity.js';
import { Settings } from '../../../src/platform/settings/settings.js';
import { UsersService } from '../../../src/auth/users/users.service.js';
import { PASSWORD } from '../../support/page-client.js';
import type { RunningApp } from '../../support/start-app.js';
import { startApp } from '../../support/start-app.js';
import { Browser } from './browser.js';
import type { DebianProvider, Person } from './provider.js';

/** All that can be printed, in an order in which none is lost at an end. */
export const PRINTABLE = Array.from({ length: 95 }, (_, index) => String.fromCharCode(0x7e - index))
  .join('')
  .replace(' ', '')
  .replace('P', 'P ');

/** Sealpush with a provider, of whose people members of `staff` may sign in, and those of `admins` are administrators. */
export class Installation {
  private constructor(
    readonly provider: DebianProvider,
    readonly running: RunningApp,
  ) {}

  static async start(provider: DebianProvider, client: { id: string; secret: string }): Promise<Installation> {
    const running = await startApp({
      PUBLIC_URL: 'http://127.0.0.1',
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: client.id,
      OIDC_CLIENT_SECRET: client.secret,
      OIDC_ALLOWED_GROUPS: 'staff',
      OIDC_ADMIN_GROUP: 'admins',
    });
    const installation = new Installation(provider, running);
    await installation.register(client);
    return installation;
  }

  get url(): string {
    return this.running.url;
  }

  /** Registers it at the provider as another client. */
  async register({ id, secret }: { id: string; secret: string }): Promise<void> {
    await this.provider.register({ id, secret, site: this.url });
    this.set({ PUBLIC_URL: this.url, OIDC_CLIENT_ID: id, OIDC_CLIENT_SECRET: secret });
  }

  get settings(): Settings {
    return this.running.app.get(Settings);
  }

  set(settings: Partial<Settings>): void {
    Object.assign(this.settings, settings);
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

  /** What the audit log of the installation says last. */
  async lastAudit(): Promise<InstanceAuditEntry> {
    const [entry] = await this.running.dataSource.manager.find(InstanceAuditEntry, {
      order: { id: 'DESC' },
      take: 1,
    });
    if (!entry) throw new Error('the audit log is empty');
    return entry;
  }

  async stop(): Promise<void> {
    await this.running.stop();
    await this.provider.stop();
  }
}
