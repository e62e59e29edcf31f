import { OutboxMessage } from '../../src/platform/outbox/outbox-message.entity.js';
import { forAllTests } from '../support/for-tests.js';
import { startMailServer } from '../support/mail-server.js';
import { PageClient } from '../support/page-client.js';
import { ask } from '../support/requests.js';
import { startApp } from '../support/start-app.js';
import { MIB } from '../../src/platform/settings/units.js';

describe('A page that no address shows again', () => {
  const server = forAllTests(startMailServer);
  const running = forAllTests(() => startApp({ ...server.env, ENABLE_REQUESTS_API: 'true' }));

  const hidden = (body: string, name: string) =>
    new RegExp(`name="${name}" value="([^"]*)"`).exec(body)?.[1] ?? '';
  const messages = () => running.dataSource.manager.count(OutboxMessage);

  it.each([
    ['/users/password', 'mailSent.newPassword'],
    ['/users/sign_up_link', 'mailSent.signUp'],
  ])('after %s says in another language where the mail goes, and sends no second one', async (path, of) => {
    const visitor = new PageClient(running.url);
    const { body } = await visitor.post(path, { email: 'ada@example.org' });
    expect(body).toContain('Check your email');
    expect([hidden(body, 'of'), hidden(body, 'email')]).toEqual([of, 'ada@example.org']);
    const action = /formaction="(\/users\/mail_sent\?locale=de)"/i.exec(body)?.[1] ?? '';
    const before = await messages();

    const german = await visitor.post(action, { of, email: 'ada@example.org', language: 'de' });
    expect(german.status).toBe(200);
    expect(german.body).toContain('<html lang="de"');
    expect(german.body).toContain('ada@example.org');
    expect(await messages()).toBe(before);
    expect((await visitor.get('/users/sign_in')).body).toContain('<html lang="de"');
  });

  it('shows only what our pages say, as text', async () => {
    const visitor = new PageClient(running.url);
    for (const wanted of ['', 'signIn.title', 'toString', '__proto__'])
      expect((await visitor.post('/users/mail_sent?locale=de', { of: wanted, email: 'x' })).status).toBe(404);
    const fields = { of: 'mailSent.signUp', email: '<script>alert(1)</script>' };
    expect((await visitor.post('/users/mail_sent', fields)).body).not.toContain('<script>alert');
    const long = { ...fields, email: '<'.repeat(MIB / 10) };
    expect((await visitor.post('/users/mail_sent', long)).body.length).toBeLessThan(MIB / 8);
  });

  it('has its address where a request is closed, or a link cannot be opened', async () => {
    const { client } = await running.newUser();
    const request = await ask(client);
    await client.delete(`/api/v2/requests/${request.url_token}`);
    const closed = await new PageClient(running.url).get(`/requests/${request.url_token}`);
    expect([closed.status, hidden(closed.body, 'next')]).toEqual([410, `/requests/${request.url_token}`]);

    const gone = await new PageClient(running.url).get(`/p/${'a'.repeat(43)}`);
    expect([gone.status, hidden(gone.body, 'next')]).toEqual([404, `/p/${'a'.repeat(43)}`]);
    const { url_token } = await running.anonymous.push({ payload: 'x', passphrase: 'sesame' });
    const wrong = await new PageClient(running.url).post(`/p/${url_token}`, { passphrase: 'wrong' });
    expect([wrong.status, hidden(wrong.body, 'next')]).toEqual([422, `/p/${url_token}`]);
    const opened = await new PageClient(running.url).post(`/p/${url_token}`, { passphrase: 'sesame' });
    expect([opened.status, hidden(opened.body, 'next')]).toEqual([200, '']);

    const guarded = await ask(client, { passphrase: 'sesame' });
    const path = `/requests/${guarded.url_token}`;
    const refused = await new PageClient(running.url).post(`${path}/passphrase`, { passphrase: 'wrong' });
    expect([refused.status, hidden(refused.body, 'next')]).toEqual([422, path]);

    const other = await new PageClient(running.url).get('/nothing/here/secret');
    expect(other.body).not.toContain('secret"');
  });
});

describe('Signing in', () => {
  const running = forAllTests(startApp);

  it('says why where somebody wants to ask for a secret, and leads on to that form', async () => {
    const user = await running.newUser();
    const visitor = new PageClient(running.url);
    const { status, headers } = await visitor.get('/requests/new');
    const location = headers.get('Location') ?? '';
    expect([status, location]).toEqual([303, '/users/sign_in?next=%2Frequests%2Fnew']);
    const why = 'Sign in to ask for a secret';
    expect((await visitor.get(location)).body).toContain(why);
    const wrong = await visitor.post('/users/sign_in', {
      email: user.email,
      password: 'x',
      next: '/requests/new',
    });
    expect(wrong.body).toContain(why);
    expect((await visitor.get('/users/sign_in?next=%2Fpushes')).body).not.toContain(why);
  });
});
