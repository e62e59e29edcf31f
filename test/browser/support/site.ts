import { randomUUID } from 'node:crypto';
import type { BrowserContextOptions } from 'playwright-core';
import { sessionCookie } from '../../../src/auth/sessions/session-cookie.js';
import { setCookieHeader } from '../../../src/platform/http/cookies.js';
import { SignInsService } from '../../../src/auth/sign-in/sign-ins.service.js';
import { UsersService } from '../../../src/auth/users/users.service.js';
import { Client } from '../../support/client.js';
import { forAllTests } from '../../support/for-tests.js';
import { PASSWORD } from '../../support/page-client.js';
import type { RunningApp, TestUser } from '../../support/start-app.js';
import { startApp } from '../../support/start-app.js';
import { launch } from './browser.js';
import { Person } from './person.js';

interface SiteOptions {
  /** Of the app. They are asked for when it starts. */
  settings?: Record<string, string> | (() => Record<string, string>);
  /** Of the person with whom each test begins. */
  browser?: BrowserContextOptions;
  /** Errors in the browser that the tests cause. */
  expected?: RegExp;
  /** The address that the person uses, if that is not the app’s own. */
  url?: () => string;
}

export interface Site {
  running: RunningApp;
  /** Another one for each test: the person that this test begins with. */
  person: Person;
  /** Another person, until the end of the test. */
  meet: (options?: BrowserContextOptions, url?: string) => Promise<Person>;
  /** Gives a person the session of a new account. */
  signIn: (person?: Person) => Promise<TestUser>;
}

/** For all tests of a describe block: the app, started once, and a new person for each test who must see no errors. */
export function startSite({ settings, browser, expected, url }: SiteOptions = {}): Site {
  const running = forAllTests(() => startApp(typeof settings === 'function' ? settings() : settings));
  const person = new Person();
  let others: Person[] = [];

  beforeEach(async () => {
    await person.enter(await launch(), url?.() ?? running.url, browser);
  });
  afterEach(async () => {
    const everybody = [person, ...others];
    others = [];
    await Promise.all(everybody.map(({ context }) => context.close()));
    const errors = everybody.flatMap((each) => each.errors);
    expect(errors.filter((error) => !expected?.test(error))).toEqual([]);
  });

  return {
    running,
    person,
    meet: async (options, address = running.url) => {
      const other = new Person();
      others.push(other);
      await other.enter(await launch(), address, options);
      return other;
    },
    signIn: (one = person) => signIn(running, one),
  };
}

async function signIn({ app, url }: RunningApp, { context }: Person): Promise<TestUser> {
  const email = `${randomUUID()}@example.org`;
  const { user, token } = await app.get(UsersService).createWithToken(email, PASSWORD, 'test');
  const session = await app.get(SignInsService).begin(user);
  const [cookie = ''] = setCookieHeader(sessionCookie(session, 14), { path: '/', isSecure: false }).split(
    ';',
  );
  const [name = '', value = ''] = cookie.split('=');
  await context.addCookies([{ name, value, url }]);
  return { id: user.id, email, token, client: new Client(url, { Authorization: `Bearer ${token}` }) };
}
