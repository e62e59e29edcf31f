import { SecretRequestsService } from '../../src/features/requests/requests.service.js';
import { pushEndToEnd } from '../support/end-to-end-push.js';
import { newestPush } from '../support/new-pushes.js';
import { ageRecipient, ask } from '../support/requests.js';
import { startSite } from './support/site.js';

const SWAPPED = 'This link does not match its secret';
const SWAPPED_REQUEST = 'This link does not fit';
const INCOMPLETE = 'This link is incomplete';
const KEY = 'A'.repeat(43);

describe('A link that promises encryption', () => {
  const site = startSite({ settings: { ENABLE_REQUESTS_API: 'true' }, expected: /^Failed to load resource/ });
  const { running, person } = site;
  let posts: string[];

  beforeEach(() => {
    posts = [];
    person.page.on('request', (request) => {
      if (request.method() === 'POST') posts.push(new URL(request.url()).pathname);
    });
  });

  const controls = () =>
    person.page.locator('main :is(button, input, textarea)').filter({ visible: true }).count();
  const main = () => person.page.locator('main').innerText();

  it.each([
    ['without a passphrase', `#1${KEY}`],
    ['with a passphrase', `#2${KEY}`],
    ['of a later version', `#3${KEY}`],
    ['that is cut', `#1${KEY.slice(0, 20)}`],
    ['whose # was encoded', `%231${KEY}`],
    ['whose # was encoded twice', `%25232${KEY}`],
  ])('to a secret, %s, opens none that the server can read', async (_kind, end) => {
    for (const fields of [
      {},
      { retrieval_step: true },
      { passphrase: 'sesame' },
      { expire_after_views: 5 },
    ]) {
      const push = await running.anonymous.push({ payload: 'correct horse', ...fields });
      await person.page.goto('about:blank');
      await person.openLink(`${push.html_url}${end}`);
      await person.waitForHeading(SWAPPED);
      await person.page.waitForLoadState('networkidle');

      expect(await controls()).toBe(0);
      expect((await newestPush(running)).viewsCounted).toBe(0);
    }
    expect(posts).toEqual([]);
    await person.chooseLanguage('Deutsch');
    await person.waitForHeading('Dieser Link passt nicht zum Geheimnis');
    expect(posts).toEqual(['/language']);
  });

  it('shows no text of the server in place of a secret, or of what says that it has ended', async () => {
    const plain = await running.anonymous.push({ payload: 'battery staple', retrieval_step: true });
    const { body: html } = await running.anonymous.send(
      'POST',
      new URL(plain.html_url as string).pathname,
      new URLSearchParams(),
    );
    expect(html).toContain('battery staple');
    for (const status of [200, 404]) {
      const push = await pushEndToEnd(running.anonymous, { text: 'correct horse' });
      await person.page.route(`**/p/${push.urlToken}`, (route) =>
        route.request().method() === 'POST'
          ? route.fulfill({ status, contentType: 'text/html', body: html as string })
          : route.continue(),
      );
      await person.visit(push.link);
      await person.press('Open');
      await person.waitForHeading(SWAPPED);
      expect(await main()).not.toContain('battery staple');
    }
  });

  it('is not one with another end, or none', async () => {
    for (const end of ['', '#', '#main']) {
      const push = await running.anonymous.push({ payload: 'correct horse', expire_after_views: 2 });
      await person.page.goto('about:blank');
      await person.openLink(`${push.html_url}${end}`);
      await person.page.locator('#secret').waitFor();
    }
  });

  it.each([
    ['whole', `#1${KEY}`, SWAPPED_REQUEST],
    ['whose # was encoded', `%231${KEY}`, SWAPPED_REQUEST],
    ['cut', `#1${KEY.slice(0, 20)}`, INCOMPLETE],
    ['of a secret', `#2${KEY}`, INCOMPLETE],
  ])('to a request takes no answer that the server could read: %s', async (_kind, end, heading) => {
    const owner = await site.signIn();
    const request = await ask(owner.client);
    const stranger = await site.meet();
    await stranger.visit(`/requests/${request.url_token}${end}`);
    await stranger.waitForHeading(heading);

    expect(await stranger.page.locator('form#answer').isVisible()).toBe(false);
    await stranger.chooseLanguage('Deutsch');
    await stranger.waitForHeading(
      heading === SWAPPED_REQUEST ? 'Dieser Link passt nicht' : 'Dieser Link ist unvollständig',
    );
    expect(await stranger.page.locator('form#answer').isVisible()).toBe(false);
    expect((await owner.client.get(`/api/v2/requests/${request.url_token}`)).body.answer_url_tokens).toEqual(
      [],
    );
  });

  it.each(['another key', 'none'])(
    'to a request is refused once the server names %s when the language changes',
    async (named) => {
      const owner = await site.signIn();
      const [right, other] = [await ageRecipient(), await ageRecipient()];
      const request = await ask(owner.client, { recipient: right.recipient });
      const stranger = await site.meet();
      await stranger.visit(request.html_url as string);
      await stranger.fill({ 'Your answer': 'correct horse' });
      const service = running.app.get(SecretRequestsService);
      const find = service.find.bind(service);
      const swapped = jest.spyOn(service, 'find').mockImplementation(async (token) => {
        const { row, texts } = await find(token);
        const recipient = named === 'none' ? undefined : other.recipient;
        return { row, texts: { ...texts, recipient } };
      });
      await stranger.chooseLanguage('Deutsch');
      await stranger.waitForHeading('Dieser Link passt nicht');
      swapped.mockRestore();

      expect(await stranger.page.locator('form#answer').isVisible()).toBe(false);
    },
  );

  it('is looked at when it is pasted into the tab of a page that took an answer', async () => {
    const owner = await site.signIn();
    const request = await ask(owner.client);
    const stranger = await site.meet();
    await stranger.visit(`/requests/${request.url_token}`);
    await stranger.page.getByLabel('Your answer').waitFor();
    await stranger.page.evaluate(`location.hash = '#1${KEY}'`);
    await stranger.waitForHeading(SWAPPED_REQUEST);
  });
});
