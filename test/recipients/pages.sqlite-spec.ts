import { Push } from '../../src/pushes/push/push.entity.js';
import { forAllTests, forEachTest, forThisTest } from '../support/for-tests.js';
import { startMailServer } from '../support/mail-server.js';
import { allSent } from '../support/mailbox.js';
import { newestPush } from '../support/new-pushes.js';
import { asData, newSignedInUser, PageClient } from '../support/page-client.js';
import { codeIn, Recipients } from '../support/recipients.js';
import { startApp } from '../support/start-app.js';

const ADA = 'ada@example.org';
const ASKS = 'Send me a code';
const CODE_FIELD = 'Code from the email';
const OPENED = 'Here is the secret';

describe('The pages of a push that names its recipients', () => {
  const server = forAllTests(startMailServer);
  const running = forAllTests(() => startApp({ ...server.env, PUBLIC_URL: 'http://push.example.org' }));
  let browser: PageClient;

  beforeEach(async () => {
    await new Recipients(running, server).reset();
    browser = new PageClient(running.url);
  });

  const push = async (fields: object = {}): Promise<string> =>
    (await running.anonymous.push({ payload: 'tulip', recipients: [ADA], ...fields })).url_token;
  /** The code that this browser asks for; empty when none is sent. */
  const ask = async (urlToken: string, email = ADA) => {
    const before = server.received.length;
    const { status, headers } = await browser.post(`/p/${urlToken}/code`, { email });
    expect([status, headers.get('location')]).toEqual([303, `/p/${urlToken}`]);
    await allSent(running);
    return codeIn(server.received.slice(before).at(-1));
  };
  const viewsCounted = async () => (await newestPush(running)).viewsCounted;

  it.each([
    ['ada@example.org, @<b>', '“@&lt;b>” is neither an email address nor a domain.'],
    [`${'x'.repeat(100)}, ada@example.org`, `“${'x'.repeat(60)}…” is neither an email address nor a domain.`],
    ['ada@example.org,, eve@example.org', 'One of these is neither an email address nor a domain.'],
  ])('cannot be made for %s, and say which entry is wrong (E1)', async (recipients, message) => {
    const { pageClient } = await newSignedInUser(running);
    const { status, body } = await pageClient.post('/', {
      'push[payload]': 'tulip',
      'push[recipients]': recipients,
    });

    expect([status, body]).toEqual([422, expect.stringContaining(message)]);
  });

  it('ask for the address, then for the code, and show the secret', async () => {
    const urlToken = await push();
    const first = (await browser.get(`/p/${urlToken}`)).body;
    const code = await ask(urlToken);
    const second = (await browser.get(`/p/${urlToken}`)).body;
    const third = await browser.post(`/p/${urlToken}`, { code: ` ${code.slice(0, 4)} ${code.slice(4)}` });

    expect(first).toContain(ASKS);
    expect(first).not.toContain(CODE_FIELD);
    expect(first).not.toContain('5 views');
    expect(second).toContain(CODE_FIELD);
    expect(second).toContain(`for ${asData(ADA)}`);
    expect([third.status, third.body]).toEqual([200, expect.stringContaining(OPENED)]);
    expect(third.body).toContain('tulip');
    expect((await browser.get(`/p/${urlToken}`)).body).not.toContain(CODE_FIELD);
  });

  it('lose and spend nothing when they are loaded again', async () => {
    const urlToken = await push();
    const code = await ask(urlToken);
    for (let i = 0; i < 3; i++) await browser.get(`/p/${urlToken}`);

    expect(await viewsCounted()).toBe(0);
    expect((await browser.post(`/p/${urlToken}`, { code })).body).toContain('tulip');
  });

  it('ask again for a wrong code, and keep what was typed before', async () => {
    const urlToken = await push();
    const code = await ask(urlToken);
    const { status, body } = await browser.post(`/p/${urlToken}`, { code: '1' });

    expect(status).toBe(422);
    expect(body).toContain('id="code-error"');
    expect(body).toContain(CODE_FIELD);
    expect((await browser.post(`/p/${urlToken}`, { code })).body).toContain('tulip');
  });

  it('ask for the passphrase with the code', async () => {
    const urlToken = await push({ passphrase: 'horse' });
    expect((await browser.get(`/p/${urlToken}`)).body).not.toContain('name="passphrase"');
    const code = await ask(urlToken);
    const wrong = await browser.post(`/p/${urlToken}`, { code, passphrase: 'cow' });

    expect([wrong.status, wrong.body]).toEqual([422, expect.stringContaining('id="passphrase-error"')]);
    expect((await browser.post(`/p/${urlToken}`, { code, passphrase: 'horse' })).body).toContain('tulip');
  });

  it('say the same to whoever is not named, who gets no mail (B9)', async () => {
    const urlToken = await push();
    const page = async () => (await browser.get(`/p/${urlToken}`)).body;
    await ask(urlToken);
    const named = await page();
    expect(await ask(urlToken, 'eve@example.net')).toBe('');

    expect((await page()).replaceAll('eve@example.net', ADA)).toBe(named);
  });

  it('say what is no address', async () => {
    const urlToken = await push();
    const { status, body } = await browser.post(`/p/${urlToken}/code`, { email: 'ada' });

    expect([status, body]).toEqual([422, expect.stringContaining('id="email-error"')]);
  });

  it('do not open without a code, whatever is posted (A11)', async () => {
    const urlToken = await push();
    for (const fields of [{}, { code: '' }, { code: '12345678' }, { passphrase: 'x' }])
      expect((await browser.post(`/p/${urlToken}`, fields as Record<string, string>)).status).toBe(422);

    expect(await viewsCounted()).toBe(0);
  });

  it('send no address or code in a URL, and keep them from scripts (H1)', async () => {
    const urlToken = await push();
    const { headers } = await browser.post(`/p/${urlToken}/code`, { email: ADA });
    const [cookie = ''] = headers.getSetCookie();

    expect(headers.get('location')).toBe(`/p/${urlToken}`);
    expect(cookie).toContain('HttpOnly');
    expect(cookie).toContain('Max-Age=600');
    expect(decodeURIComponent(cookie)).not.toContain(ADA);
  });

  it('have no code to ask for when the push names nobody, or has ended', async () => {
    const { url_token } = await running.anonymous.push({ payload: 'tulip' });

    expect((await browser.post(`/p/${url_token}/code`, { email: ADA })).status).toBe(404);
    expect((await browser.post(`/p/${'x'.repeat(43)}/code`, { email: ADA })).status).toBe(404);
  });

  it('offer the commands for what the browser has encrypted', async () => {
    const urlToken = await push();
    const { id } = await newestPush(running);
    await running.dataSource.manager.update(Push, { id }, { clientEncrypted: true });

    expect((await browser.get(`/p/${urlToken}`)).body).toContain('X-Push-Recipient: $email');
  });

  describe('for its sender', () => {
    const owner = forEachTest(() => newSignedInUser(running));

    const create = (fields: Record<string, string>) =>
      owner.pageClient.post('/', { 'push[payload]': 'tulip', ...fields });

    it('offer to name them, and say who is named', async () => {
      expect((await owner.pageClient.get('/')).body).toContain('Only these people');
      const { status, body } = await create({
        'push[recipients]': `${ADA}, @example.com`,
        'push[once_per_recipient]': 'on',
      });

      expect(status).toBe(201);
      expect(body).toContain(`Send the link to ${asData('ada@example.org, @example.com')} yourself.`);
      expect(body).toContain('Each of them can open it once');
    });

    it('show what was typed again with what is wrong', async () => {
      const { status, body } = await create({ 'push[recipients]': 'ada' });

      expect(status).toBe(422);
      expect(body).toContain('id="recipients-error"');
      expect(body).toContain('value="ada"');
      expect(await create({ 'push[once_per_recipient]': 'on' })).toMatchObject({
        status: 422,
        body: expect.stringContaining('Say who can open it.'),
      });
    });

    it('open without a code for the owner', async () => {
      const { body } = await create({ 'push[recipients]': ADA });
      const [, urlToken = ''] = /\/p\/([\w-]{43})/.exec(body) ?? [];

      expect((await owner.pageClient.get(`/p/${urlToken}`)).body).not.toContain(ASKS);
      expect((await owner.pageClient.post(`/p/${urlToken}`)).body).toContain('tulip');
    });
  });

  it('do not offer them where no mail is sent', async () => {
    const without = await forThisTest(startApp());
    const { body } = await new PageClient(without.url).get('/');

    expect(body).not.toContain('Only these people');
  });
});
