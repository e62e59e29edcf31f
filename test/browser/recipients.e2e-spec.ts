import { Push } from '../../src/pushes/push/push.entity.js';
import { pushEndToEnd } from '../support/end-to-end-push.js';
import { forAllTests, forEachTest } from '../support/for-tests.js';
import { startMailServer } from '../support/mail-server.js';
import { Recipients } from '../support/recipients.js';
import { startSite } from './support/site.js';

const ADA = 'ada@example.org';
const SHOWS = 'Here is the secret';

describe('A push that names its recipients, in a browser', () => {
  const settings: Record<string, string> = {};
  const server = forAllTests(startMailServer);
  beforeAll(() => {
    Object.assign(settings, server.env, { PUBLIC_URL: 'http://push.example.org' });
  });
  const site = startSite({ settings });
  const { running, person } = site;
  const recipients = forEachTest(() => new Recipients(running, server));
  beforeEach(() => recipients.reset());

  const push = (fields: object = {}) =>
    running.anonymous.push({ payload: 'correct horse', recipients: [ADA], ...fields });
  const askFor = async (email = ADA) => {
    await person.fill({ 'Your email address': email });
    await person.press('Send me a code');
    await person.page.getByLabel('Code from the email').waitFor();
    return (await recipients.codesOf(email)).at(-1) ?? '';
  };
  const enter = async (code: string) => {
    await person.fill({ 'Code from the email': code });
    await person.press('Open');
  };
  const viewsUsed = async () =>
    (await running.dataSource.manager.find(Push, { order: { id: 'DESC' }, take: 1 }))[0]?.viewsCounted;

  it('opens after a code from a mail, and not before', async () => {
    const { url_token } = await push({ expire_after_views: 2 });
    await person.visit(`/p/${url_token}`);
    const code = await askFor();
    await person.page.reload();
    await person.page.goBack();
    await person.page.goForward();
    expect(await viewsUsed()).toBe(0);

    await enter('1');
    await person.page.locator('#open-error:not(:empty)').waitFor();
    expect(await person.page.getByLabel('Code from the email').getAttribute('aria-invalid')).toBe('true');
    expect(await viewsUsed()).toBe(0);
    await enter(code);
    await person.waitForHeading(SHOWS);

    expect(await person.page.locator('#secret').innerText()).toBe('correct horse');
    expect(await viewsUsed()).toBe(1);
    expect(person.page.url()).not.toMatch(/code=|email=|example\.org.*@/);
    await person.page.reload();
    await person.page.getByLabel('Your email address').waitFor();
    expect(await viewsUsed()).toBe(1);
  });

  it('takes the passphrase together with the code', async () => {
    const { url_token } = await push({ passphrase: 'sesame' });
    await person.visit(`/p/${url_token}`);
    const code = await askFor();
    await person.fill({ Passphrase: 'wrong' });
    await enter(code);
    await person.page.locator('#open-error:not(:empty)').waitFor();
    expect(await person.page.getByLabel('Passphrase', { exact: true }).getAttribute('aria-invalid')).toBe(
      'true',
    );
    await person.fill({ Passphrase: 'sesame' });
    await person.press('Open');

    await person.waitForHeading(SHOWS);
  });

  it('opens what is encrypted end to end, with the key that stays in the browser', async () => {
    const sent: string[] = [];
    person.page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
    const { link, fragment } = await pushEndToEnd(
      running.anonymous,
      { text: 'correct horse' },
      { recipients: ADA },
    );
    await person.visit(link.replace('http://push.example.org', running.url));
    await enter(await askFor());
    await person.waitForHeading(SHOWS);
    await person.page.locator('#secret').waitFor();

    expect(await person.page.locator('#secret').innerText()).toBe('correct horse');
    expect(sent.filter((request) => request.includes(fragment))).toEqual([]);
  });

  it('has a new code sent to another address', async () => {
    const { url_token } = await push({ recipients: ['@example.com'] });
    await person.visit(`/p/${url_token}`);
    await askFor('wrong@example.net');
    await person.page.getByText('Wrong address, or no email?').click();
    await enter(await askFor('bob@example.com'));

    await person.waitForHeading(SHOWS);
  });

  it('is made with the form, encrypted in the browser or not, and lists who is named', async () => {
    await site.signIn();
    await person.visit('/');
    await person.page.locator('#payload').fill('tulip');
    await person.fill({ 'Only these people': ADA });
    await person.createLink();
    const told = person.page.getByText('Nobody was emailed.').locator('..');
    expect(await told.innerText()).toContain(`Send the link to ${ADA} yourself.`);

    await person.page.getByRole('link', { name: 'View activity' }).click();
    await person.fill({ 'Email address, or a domain such as @example.com': '@example.com' });
    await person.press('Add');
    const named = person.page.locator('.people bdi');
    await named.getByText('@example.com', { exact: true }).waitFor();
    await person.press(`Remove ${ADA}`);
    await named.getByText(ADA, { exact: true }).waitFor({ state: 'detached' });
    expect(await named.allInnerTexts()).toEqual(['@example.com']);
  });

  describe('without scripts', () => {
    it('opens in the same two steps', async () => {
      const other = await site.meet({ javaScriptEnabled: false });
      const { url_token } = await push();
      await other.visit(`/p/${url_token}`);
      await other.fill({ 'Your email address': ADA });
      await other.press('Send me a code');
      const [code = ''] = await recipients.codesOf(ADA);
      await other.fill({ 'Code from the email': code });
      await other.press('Open');

      await other.waitForHeading(SHOWS);
      expect(await other.page.locator('#secret').innerText()).toBe('correct horse');
    });
  });
});
