import { randomUUID } from 'node:crypto';
import { IsNull } from 'typeorm';
import { Session } from '../../src/auth/entities/session.entity.js';
import { MAX_SESSIONS, SessionsService } from '../../src/auth/sessions/sessions.service.js';
import { SignInsService } from '../../src/auth/sign-in/sign-ins.service.js';
import { User } from '../../src/auth/entities/user.entity.js';
import { Push } from '../../src/pushes/push/push.entity.js';
import { forAllTests } from '../support/for-tests.js';
import { startApp } from '../support/start-app.js';
import { newSignedInUser, PASSWORD, PageClient } from '../support/page-client.js';
import { HOUR_MS } from '../../src/platform/settings/units.js';

const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS);

describe('A session', () => {
  const running = forAllTests(startApp);

  it('begins with the right password, in a cookie that scripts and other sites cannot access (D5)', async () => {
    const { email } = await newSignedInUser(running);

    const { status, headers } = await new PageClient(running.url).signIn(email);

    expect(status).toBe(303);
    expect(headers.get('location')).toBe('/pushes');
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(/^sealpush=[\w-]{43}; Max-Age=1209600; Path=\/; HttpOnly; SameSite=Lax$/),
      expect.stringMatching(
        /^sealpush-browser=[\w-]{43}; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/,
      ),
    ]);
  });

  it('is stored only as a digest (B6, J5)', async () => {
    const { pageClient } = await newSignedInUser(running);
    const [, token = ''] = /^sealpush=([\w-]{43})/.exec(pageClient.cookies) ?? [];

    const stored = JSON.stringify(await running.dataSource.manager.find(Session));

    expect(token).toHaveLength(43);
    expect(stored).not.toContain(token);
  });

  it('ends when the user signs out, even for a copied cookie (D1)', async () => {
    const { pageClient } = await newSignedInUser(running);
    const thief = new PageClient(running.url, { Cookie: pageClient.cookies });

    const { headers } = await pageClient.post('/users/sign_out');

    expect(headers.get('set-cookie')).toContain('sealpush=; Max-Age=0; Path=/');
    expect(await thief.isSignedIn()).toBe(false);
  });

  it('ends when its account has 500 others that were used later (L4)', async () => {
    const { id: userId, email, pageClient } = await newSignedInUser(running);
    const { manager } = running.dataSource;
    const first = await manager.findOneByOrFail(Session, { userId });
    const rows = Array.from({ length: MAX_SESSIONS + 50 }, () => ({
      ...first,
      ...{ id: randomUUID(), digest: randomUUID(), lastSeenAt: inHours(1) },
    }));
    await manager.insert(Session, rows);
    const last = new PageClient(running.url);
    await last.signIn(email);

    expect(await manager.countBy(Session, { userId })).toBe(MAX_SESSIONS);
    expect([await pageClient.isSignedIn(), await last.isSignedIn()]).toEqual([false, true]);
  });

  it('is replaced and ended by signing in again (D1)', async () => {
    const { email, pageClient } = await newSignedInUser(running);
    const before = new PageClient(running.url, { Cookie: pageClient.cookies });

    await pageClient.signIn(email);

    expect(await pageClient.isSignedIn()).toBe(true);
    expect(await before.isSignedIn()).toBe(false);
  });

  it('ends when the password changes, except in the browser that changed it (D1)', async () => {
    const { email, pageClient } = await newSignedInUser(running);
    const thief = new PageClient(running.url, { Cookie: pageClient.cookies });
    const elsewhere = new PageClient(running.url);
    await elsewhere.signIn(email);

    const change = { password: PASSWORD, new_password: 'nine tall blue mountains' };
    const { status } = await pageClient.post('/users/edit/password', change);

    expect(status).toBe(303);
    expect(await pageClient.isSignedIn()).toBe(true);
    expect(await elsewhere.isSignedIn()).toBe(false);
    expect(await thief.isSignedIn()).toBe(false);
    expect((await new PageClient(running.url).signIn(email)).status).toBe(422);
    expect((await new PageClient(running.url).signIn(email, 'nine tall blue mountains')).status).toBe(303);
  });

  it('ends in all browsers when the user signs out everywhere (C5)', async () => {
    const { email, pageClient } = await newSignedInUser(running);
    const elsewhere = new PageClient(running.url);
    await elsewhere.signIn(email);

    await pageClient.post('/users/sign_out_everywhere');

    expect(await pageClient.isSignedIn()).toBe(false);
    expect(await elsewhere.isSignedIn()).toBe(false);
  });

  it('ends after a day without use, and after two weeks in any case', async () => {
    const { id } = await newSignedInUser(running);
    const sessions = running.app.get(SessionsService);
    const signIns = running.app.get(SignInsService);
    const user = await running.dataSource.manager.findOneByOrFail(User, { id });

    const idle = await signIns.begin(user);
    expect(await sessions.authenticate(idle, inHours(23))).toMatchObject({ user: { id } });
    expect(await sessions.authenticate(idle, inHours(46))).toMatchObject({ user: { id } });
    expect(await sessions.authenticate(idle, inHours(71))).toBeUndefined();

    const busy = await signIns.begin(user);
    for (let hours = 20; hours < 14 * 24; hours += 20) {
      expect(await sessions.authenticate(busy, inHours(hours))).toMatchObject({ user: { id } });
    }
    expect(await sessions.authenticate(busy, inHours(14 * 24 + 1))).toBeUndefined();
  });

  it('leaves no row behind after it has expired', async () => {
    const { id } = await newSignedInUser(running);
    const sessions = running.app.get(SessionsService);

    await sessions.deleteEnded(inHours(23));
    expect(await running.dataSource.manager.countBy(Session, { userId: id })).toBe(1);
    await sessions.deleteEnded(inHours(25));
    expect(await running.dataSource.manager.countBy(Session, { userId: id })).toBe(0);
  });

  it('gives no access to the API (C10, D2)', async () => {
    const { pageClient } = await newSignedInUser(running);

    expect((await pageClient.get('/api/v2/pushes/active')).status).toBe(401);
    expect((await pageClient.get('/p/active.json')).status).toBe(401);
    const { status } = await pageClient.post('/p.json', { 'password[payload]': 'of nobody' });
    expect(status).toBe(201);
    expect(await running.dataSource.manager.countBy(Push, { userId: IsNull() })).toBe(1);
  });

  it('does not match a cookie that is invented, empty, long or a serialised object (D3)', async () => {
    const { id } = await newSignedInUser(running);
    for (const cookie of [
      'sealpush=x',
      'sealpush=',
      `sealpush=${'a'.repeat(8000)}`,
      'sealpush',
      '=; ;;sealpush==',
      `sealpush=j%3A${encodeURIComponent(JSON.stringify({ userId: id }))}`,
      `sealpush=${Buffer.from(JSON.stringify({ userId: id })).toString('base64url')}`,
      'sealpush=BAhbBkkiCnR1bGlwBjoGRVQ',
    ]) {
      const { status, headers } = await new PageClient(running.url, { Cookie: cookie }).get('/pushes');

      expect(status).toBe(303);
      expect(headers.get('location')).toBe('/users/sign_in?next=%2Fpushes');
    }
  });

  it('cannot be opened with an API token', async () => {
    const { token } = await running.newUser();

    const { status } = await new PageClient(running.url, { Authorization: `Bearer ${token}` }).get('/pushes');

    expect(status).toBe(303);
  });
});

describe('A session with an https PUBLIC_URL', () => {
  const running = forAllTests(() => startApp({ PUBLIC_URL: 'https://push.example.org' }));

  it('is in a cookie that is never sent over an unencrypted connection (D5)', async () => {
    const { email, pageClient } = await newSignedInUser(running);
    const { headers } = await new PageClient(running.url).signIn(email);

    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-sealpush=[\w-]{43}; Max-Age=1209600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
      expect.stringMatching(/^__Host-sealpush-browser=[\w-]{43}; .*; HttpOnly; Secure; SameSite=Lax$/),
    ]);
    expect(await pageClient.isSignedIn()).toBe(true);
  });

  it('is sent with HSTS', async () => {
    const { headers } = await new PageClient(running.url).get('/users/sign_in');

    expect(headers.get('strict-transport-security')).toBe('max-age=63072000');
  });
});

describe('A session behind a trusted proxy', () => {
  const running = forAllTests(() => startApp({ TRUSTED_PROXIES: '127.0.0.1' }));

  it('is in a TLS-only cookie if the proxy reports TLS (D5)', async () => {
    const { email } = await newSignedInUser(running);
    const { headers } = await new PageClient(running.url, { 'X-Forwarded-Proto': 'https' }).signIn(email);

    expect(headers.get('set-cookie')).toMatch(/^__Host-sealpush=.*; Secure; SameSite=Lax$/);
  });
});
