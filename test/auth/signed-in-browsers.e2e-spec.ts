import { Jobs } from '../../src/platform/scheduling/jobs.js';
import { KnownBrowser } from '../../src/auth/entities/known-browser.entity.js';
import { Session } from '../../src/auth/entities/session.entity.js';
import { User } from '../../src/auth/entities/user.entity.js';
import { InstanceAuditEntry } from '../../src/platform/instance-audit/instance-audit-entry.entity.js';
import { DAY_MS } from '../../src/platform/settings/units.js';
import { allAtOnce } from '../support/concurrent-calls.js';
import { forAllTests } from '../support/for-tests.js';
import { startMailServer } from '../support/mail-server.js';
import { mailsTo } from '../support/mailbox.js';
import type { SignedInUser } from '../support/page-client.js';
import { newSignedInUser, PageClient } from '../support/page-client.js';
import { startApp } from '../support/start-app.js';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0';
const PAGE = '/users/sessions';
const endPaths = (body: string) =>
  [...body.matchAll(/action="(\/users\/sessions\/[\w-]{36}\/end)"/g)].map(([, path = '']) => path);

describe('Where an account is signed in', () => {
  const running = forAllTests(() => startApp({ TRUSTED_PROXIES: '127.0.0.1' }));

  const signedIn = async ({ email }: SignedInUser, headers: Record<string, string> = {}) => {
    const pageClient = new PageClient(running.url, headers);
    await pageClient.signIn(email);
    return pageClient;
  };
  const endedOf = ({ id }: SignedInUser) =>
    running.dataSource.manager.countBy(InstanceAuditEntry, { subjectId: id, kind: 'session_ended' });

  it('is shown with browser, address and times, and this browser is told apart', async () => {
    const member = await newSignedInUser(running);
    await signedIn(member, { 'User-Agent': FIREFOX, 'X-Forwarded-For': '203.0.113.7' });
    const { body } = await member.pageClient.get(PAGE);

    expect(body).toContain('Firefox 132 on Linux');
    expect(body).toContain('203.0.113.7');
    expect(body.match(/This browser/g)).toHaveLength(1);
    expect(endPaths(body)).toHaveLength(1);
  });

  it('shows no words that a browser sends, which are stored cut (E1, N2)', async () => {
    const member = await newSignedInUser(running);
    await signedIn(member, {
      'User-Agent': `evil.example/1.0 <script>alert(1)</script> ${'x'.repeat(5000)}`,
    });
    const { body } = await member.pageClient.get(PAGE);

    expect(body).toContain('Unknown program');
    expect(body).not.toMatch(/evil|alert\(|xxx/);
    const rows = await running.dataSource.manager.findBy(Session, { userId: member.id });
    expect(Math.max(...rows.map(({ userAgent }) => userAgent?.length ?? 0))).toBe(255);
  });

  it('shows sessions from before browsers were recorded', async () => {
    const member = await newSignedInUser(running);
    await running.dataSource.manager.update(Session, { userId: member.id }, { userAgent: null, ip: null });

    expect((await member.pageClient.get(PAGE)).body).toContain('Unknown program');
  });

  it('shows no session that has ended', async () => {
    const member = await newSignedInUser(running);
    await running.dataSource.manager.update(
      Session,
      { userId: member.id },
      { lastSeenAt: new Date(Date.now() - 2 * DAY_MS) },
    );
    const pageClient = await signedIn(member);

    expect(endPaths((await pageClient.get(PAGE)).body)).toEqual([]);
  });

  it('can be ended one by one, and everywhere else', async () => {
    const member = await newSignedInUser(running);
    const others = [await signedIn(member), await signedIn(member), await signedIn(member)];
    const [path = ''] = endPaths((await member.pageClient.get(PAGE)).body);
    const answers = await allAtOnce(2, () => member.pageClient.post(path));
    expect(answers.map(({ headers }) => headers.get('location'))).toEqual(
      Array(2).fill(`${PAGE}?done=ended`),
    );
    const states = await Promise.all(others.map((other) => other.isSignedIn()));
    expect(states.filter((isSignedIn) => !isSignedIn)).toHaveLength(1);
    expect(await endedOf(member)).toBe(1);

    await member.pageClient.post(`${PAGE}/end_others`);
    for (const other of others) expect(await other.isSignedIn()).toBe(false);
    expect(await member.pageClient.isSignedIn()).toBe(true);
    expect(await endedOf(member)).toBe(2);
  });

  it('cannot be ended by another account, nor with an unknown id (C1)', async () => {
    const [member, stranger] = [await newSignedInUser(running), await newSignedInUser(running)];
    const other = await signedIn(member);
    const [path = ''] = endPaths((await member.pageClient.get(PAGE)).body);
    await stranger.pageClient.post(path);
    await stranger.pageClient.post(`${PAGE}/${'0'.repeat(5000)}/end`);

    expect(await other.isSignedIn()).toBe(true);
  });
});

describe('A browser that an account has not used', () => {
  const server = forAllTests(startMailServer);
  const running = forAllTests(() => startApp(server.env));

  const verified = async () => {
    const member = await newSignedInUser(running);
    await running.dataSource.manager.update(User, { id: member.id }, { emailUnverified: false });
    return member;
  };
  const subjects = async ({ email }: SignedInUser) =>
    (await mailsTo(running, server, email)).map(({ subject }) => subject);

  it('is announced to its owner once, with its name, and not the first one', async () => {
    const member = await verified();
    const again = new PageClient(running.url, { 'User-Agent': FIREFOX });
    await again.signIn(member.email);
    await again.post('/users/sign_out');
    await again.signIn(member.email);
    await member.pageClient.post('/users/sign_out');
    await member.pageClient.signIn(member.email);

    const mails = await mailsTo(running, server, member.email);
    expect(mails.map(({ subject }) => subject)).toEqual(['New browser in your account']);
    expect(mails[0]?.text).toContain('Firefox on Linux signed in');
    expect(mails[0]?.text).toContain('/users/sessions');
  });

  it('is announced in the language of the account, whatever the request says, and with no address (H1)', async () => {
    const [unset, german] = [await verified(), await verified()];
    await running.dataSource.manager.update(User, { id: german.id }, { language: 'de' });
    const headers = { 'Accept-Language': 'de', 'User-Agent': 'evil.example/1.0 (now)' };
    await new PageClient(running.url, headers).signIn(unset.email);
    await new PageClient(running.url, { 'Accept-Language': 'en' }).signIn(german.email);

    expect(await subjects(german)).toEqual(['Neuer Browser in Ihrem Konto']);
    const mails = await mailsTo(running, server, unset.email);
    expect(mails.map(({ subject }) => subject)).toEqual(['New browser in your account']);
    expect(mails[0]?.text).toContain('Unknown program signed in');
    expect(mails[0]?.text).not.toContain('evil');
  });

  it('is not announced when the cookie of the account is of another form or its account has no address', async () => {
    const unverified = await newSignedInUser(running);
    await new PageClient(running.url).signIn(unverified.email);
    expect(await subjects(unverified)).toEqual([]);

    const member = await verified();
    const { cookies } = member.pageClient;
    expect(cookies).toMatch(/sealpush-browser=[\w-]{43}/);
    const forger = running.anonymous.with({
      Cookie: 'sealpush-browser=forged',
      'Sec-Fetch-Site': 'same-origin',
    });
    const form = new URLSearchParams({ email: member.email, password: 'seven wide green rivers' });
    const { headers } = await forger.send('POST', '/users/sign_in', form);
    expect(headers.getSetCookie().join()).toMatch(/sealpush-browser=[\w-]{43}/);
    expect(await subjects(member)).toEqual(['New browser in your account']);
  });

  it('makes at most six mails an hour, and at most fifty browsers are known', async () => {
    const member = await verified();
    for (let i = 0; i < 9; i++) await new PageClient(running.url).signIn(member.email);
    const mails = await subjects(member);
    expect(mails.length).toBeGreaterThan(3);
    expect(mails.length).toBeLessThanOrEqual(6);

    const { manager } = running.dataSource;
    const seenAt = new Date(Date.now() - DAY_MS);
    const rows = Array.from({ length: 60 }, (_, i) => ({
      id: `${member.id}-${i}`,
      userId: member.id,
      createdAt: seenAt,
      seenAt,
    }));
    await manager.insert(KnownBrowser, rows);
    await new PageClient(running.url).signIn(member.email);
    expect(await manager.countBy(KnownBrowser, { userId: member.id })).toBe(50);
  });

  it('is known to each account by itself, for a year', async () => {
    const [one, other] = [await verified(), await verified()];
    await one.pageClient.signIn(other.email);
    expect(await subjects(other)).toEqual(['New browser in your account']);

    await running.app.get(Jobs).run('auth cleanup', new Date(Date.now() + 366 * DAY_MS));
    expect(await running.dataSource.manager.countBy(KnownBrowser, { userId: one.id })).toBe(0);
  });

  it('is recorded once when it signs in several times at once', async () => {
    const member = await verified();
    const answers = await allAtOnce(2, () => member.pageClient.signIn(member.email));
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect(await running.dataSource.manager.countBy(KnownBrowser, { userId: member.id })).toBe(1);
  });
});
