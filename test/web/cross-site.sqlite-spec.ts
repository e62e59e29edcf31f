import { User } from '../../src/auth/entities/user.entity.js';
import type { RunningApp } from '../support/start-app.js';
import { startApp } from '../support/start-app.js';
import type { SignedInUser } from '../support/page-client.js';
import { newSignedInUser, PASSWORD, PageClient } from '../support/page-client.js';

const ELSEWHERE: Record<string, string>[] = [
  { 'Sec-Fetch-Site': 'cross-site' },
  { 'Sec-Fetch-Site': 'same-site' },
  { 'Sec-Fetch-Site': '' },
  { 'Sec-Fetch-Site': 'cross-site', Origin: 'http://127.0.0.1' },
];

/** As sent by an older browser, or over plain HTTP. */
const withoutFetchMetadata = (url: string, cookie: string, origin?: string) =>
  fetch(`${url}/users/sign_out_everywhere`, {
    method: 'POST',
    redirect: 'manual',
    headers: { Cookie: cookie, ...(origin !== undefined && { Origin: origin }) },
  });

describe('A form that is posted from another site', () => {
  let running: RunningApp;
  let member: SignedInUser;

  beforeAll(async () => (running = await startApp()));
  beforeEach(async () => (member = await newSignedInUser(running)));
  afterAll(() => running.stop());

  it.each([
    '/',
    '/users/sign_in',
    '/users/sign_up',
    '/users/password',
    '/users/password/aaaaaaaaaaaaaaaaaaaaaaaa',
    '/users/sign_up_link',
    '/users/sign_up_link/aaaaaaaaaaaaaaaaaaaaaaaa',
    '/users/email/aaaaaaaaaaaaaaaaaaaaaaaa',
    '/users/edit/verification',
    '/setup',
    '/admin/accounts',
    '/admin/accounts/x/promote',
    '/admin/accounts/x/send_password_link',
    '/users/sign_out',
    '/users/sign_out_everywhere',
    '/users/edit/email',
    '/users/edit/password',
    '/users/edit/delete',
    '/users/token',
    '/users/token/x/revoke',
    '/pushes/search',
    '/p/aaaaaaaaaaaaaaaaaaaaaaaa',
    '/p/aaaaaaaaaaaaaaaaaaaaaaaa/r',
    '/p/aaaaaaaaaaaaaaaaaaaaaaaa/delete',
  ])('is rejected by POST %s (D2)', async (path) => {
    for (const headers of ELSEWHERE) {
      const { status, body } = await member.pageClient.post(path, { password: PASSWORD }, headers);

      expect(status).toBe(403);
      expect(body).toContain('sent from another site');
    }
    expect(await member.pageClient.isSignedIn()).toBe(true);
    expect(await running.dataSource.manager.countBy(User, { id: member.id })).toBe(1);
  });

  it('cannot sign a user in to another person’s account (D2)', async () => {
    const victim = new PageClient(running.url, { 'Sec-Fetch-Site': 'cross-site' });

    const { status, headers } = await victim.signIn(member.email);

    expect(status).toBe(403);
    expect(headers.get('set-cookie')).toBeNull();
  });

  it.each(['http://evil.example', 'null', 'http://127.0.0.1', 'garbage', ''])(
    'is rejected by its origin %j when the browser sends no Sec-Fetch-Site (D2)',
    async (origin) => {
      const { status } = await withoutFetchMetadata(running.url, member.pageClient.cookies, origin);

      expect(status).toBe(403);
    },
  );

  it('is rejected when the browser sends a cookie but neither Sec-Fetch-Site nor Origin (D2)', async () => {
    expect((await withoutFetchMetadata(running.url, member.pageClient.cookies)).status).toBe(403);
  });

  it('is accepted without Sec-Fetch-Site if its origin is our own', async () => {
    expect((await withoutFetchMetadata(running.url, member.pageClient.cookies, running.url)).status).toBe(
      303,
    );
    expect(await member.pageClient.isSignedIn()).toBe(false);
  });
});
