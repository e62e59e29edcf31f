import { readFileSync } from 'node:fs';
import { SecretRequestsService } from './requests.service.js';
import { forEachTest } from '../../../test/support/for-tests.js';
import { findAge, findHybridAge } from '../../../test/support/find-age.js';
import { ageRecipient, ask, respond } from '../../../test/support/requests.js';
import { Push } from '../../pushes/push/push.entity.js';
import type { Person } from '../../../test/browser/support/person.js';
import { startSite } from '../../../test/browser/support/site.js';

const PHONE = { viewport: { width: 360, height: 740 } };

describe('A request', () => {
  const site = startSite({
    settings: { ENABLE_REQUESTS_API: 'true', ANSWERS_PER_MINUTE: '0' },
    expected: /^Failed to load resource/,
  });
  const { running, person } = site;
  const owner = forEachTest(() => site.signIn());
  let stranger: Person;

  beforeEach(async () => (stranger = await site.meet(PHONE)));

  const link = () => person.page.locator('#link').inputValue();
  const answers = async () => {
    const open = (await owner.client.get('/api/v2/requests/open')).body as { url_token: string }[];
    const closed = (await owner.client.get('/api/v2/requests/closed')).body as { url_token: string }[];
    const token = [...open, ...closed][0]?.url_token ?? '';
    return (await owner.client.get(`/api/v2/requests/${token}`)).body.answer_url_tokens as string[];
  };
  const main = ({ page }: Person) => page.locator('main').innerText();

  /** Asks on the page; returns the link. */
  async function askOnPage(before: () => Promise<void> = () => Promise.resolve()): Promise<string> {
    await person.visit('/requests/new');
    await person.fill({ 'What do you need, and what for?': 'The password of the shop, please' });
    await before();
    await person.createLink();
    return link();
  }

  async function answer(secret: string): Promise<void> {
    await stranger.fill({ 'Your answer': secret });
    await stranger.press('Send');
    await stranger.waitForHeading('Sent');
  }

  /** Chooses a file with the key to an answer, once the script of the page asks for it. */
  async function chooseKey({ page }: Person, content: string): Promise<void> {
    const field = page.locator('[data-key-file]');
    await field.waitFor();
    await field.setInputFiles({ name: 'key.txt', mimeType: 'text/plain', buffer: Buffer.from(content) });
  }

  it('is answered end to end, and opened in the browser that has the key', async () => {
    const url = await askOnPage();
    expect(url).toMatch(/\/requests\/[\w-]{43}#1[\w-]{43}$/);
    await person.page.getByRole('heading', { name: 'The key is in this browser' }).waitFor();

    await stranger.visit(url);
    await stranger.page.getByText(`${owner.email} asks:`).waitFor();
    expect(await main(stranger)).toContain('The password of the shop, please');
    await answer('correct horse');

    await person.page.getByRole('link', { name: 'Requests', exact: true }).click();
    await person.waitForHeading('Your requests');
    expect(await main(person)).toMatch(/1 new answer\s+closed/i);
    await person.page.getByRole('link', { name: 'The password of the shop, please' }).click();
    await person.page.getByText('New', { exact: true }).waitFor();
    await person.page.getByRole('link', { name: 'Open', exact: true }).click();
    await person.page.locator('#secret').waitFor();
    expect(await person.page.getByRole('link', { name: 'Requests', exact: true }).isVisible()).toBe(true);
    expect(await person.page.locator('#secret').innerText()).toBe('correct horse');
    expect(await main(person)).toContain('Only you can open it.');
    const [push] = await running.dataSource.manager.find(Push, { where: { userId: owner.id } });
    expect(push).toMatchObject({ clientEncrypted: true, ownerOnly: true, viewsCounted: 0 });
    await person.page.reload();
    await person.page.getByRole('button', { name: 'Open', exact: true }).waitFor(); // it uses no view
    await person.visit('/pushes');
    expect(await person.page.getByRole('table').innerText()).not.toMatch(/Not opened|Not yet|views|Text/);
  });

  it('has a fold whose arrow opens it at the first click after typing', async () => {
    await person.visit('/requests/new');
    await person.page.locator('#request').click();
    await person.page.keyboard.type('The password of the shop, please');
    const fold = person.page.locator('[data-encryption] summary');
    const { width = 0, height = 0 } = (await fold.boundingBox()) ?? {};
    await fold.click({ position: { x: width - 5, y: height / 2 } });

    expect(await person.page.locator('[data-encryption]').getAttribute('open')).not.toBeNull();
  });

  it('takes files, which only the key opens: also the saved one, in another browser', async () => {
    const url = await askOnPage();
    const [saved] = await Promise.all([person.page.waitForEvent('download'), person.press('Save the key')]);
    const keyFile = readFileSync(await saved.path(), 'utf8');
    expect(keyFile).toMatch(/^# created: .*\n# public key: age1pq1\w+\nAGE-SECRET-KEY-PQ-1\w+\n$/);

    await stranger.visit(url);
    await stranger.page.setInputFiles('#files', {
      name: 'tulip.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('red'),
    });
    await stranger.press('Send');
    await stranger.waitForHeading('Sent');

    const elsewhere = await site.meet();
    await elsewhere.context.addCookies(await person.context.cookies());
    await elsewhere.page.addInitScript('delete window.showSaveFilePicker');
    const [token = ''] = await answers();
    await elsewhere.visit(`/p/${token}`);
    const wrong = await ageRecipient();
    await chooseKey(elsewhere, wrong.identity);
    await elsewhere.page.getByText('This key does not open the answer.').waitFor();
    await chooseKey(elsewhere, 'tulip');
    await elsewhere.page.getByText('This is no key file.').waitFor();
    await chooseKey(elsewhere, keyFile);
    const file = elsewhere.page.getByRole('link', { name: 'Download tulip.txt' });
    await file.waitFor();
    expect(await elsewhere.page.locator('[data-key-file]').isVisible()).toBe(false);
    await elsewhere.page.route('**/files/*', (route) => route.fulfill({ status: 403 })); // its link has expired
    await file.click();
    const open = elsewhere.page.getByRole('button', { name: 'Open', exact: true });
    await open.waitFor();
    await elsewhere.page.unrouteAll();

    await open.click(); // it uses no view
    await chooseKey(elsewhere, keyFile);
    await file.waitFor();
    const [download] = await Promise.all([elsewhere.page.waitForEvent('download'), file.click()]);

    expect(readFileSync(await download.path(), 'utf8')).toBe('red');
  });

  it('that is closed while somebody types keeps what was typed, and says what to do', async () => {
    const url = await askOnPage();
    await stranger.visit(url);
    await stranger.fill({ 'Your answer': 'correct horse' });
    await person.unfolded(person.page.locator('button', { hasText: 'Close now' }));
    await person.press('Close now');
    await person.page.getByText('Closed: it takes no more answers.').waitFor();

    await stranger.press('Send');
    await stranger.page.getByText('This request takes no more answers.').waitFor();
    expect(await stranger.page.getByLabel('Your answer').inputValue()).toBe('correct horse');
    await stranger.visit('/');
    await stranger.visit(url);
    await stranger.waitForHeading('This request is closed');
  });

  it('keeps what was typed and chosen when the language changes', async () => {
    const url = await askOnPage();
    await stranger.visit(url);
    await stranger.fill({ 'Your answer': 'correct horse' });
    const file = { name: 'tulip.txt', mimeType: 'text/plain', buffer: Buffer.from('red') };
    await stranger.page.setInputFiles('#files', file);
    await stranger.chooseLanguage('Deutsch');
    await stranger.page.getByLabel('Ihre Antwort').waitFor();
    expect(await stranger.page.getByLabel('Ihre Antwort').inputValue()).toBe('correct horse');
    await stranger.page.getByText('tulip.txt').waitFor();
    await stranger.press('Senden');
    await stranger.waitForHeading('Gesendet');
    const [push] = await running.dataSource.manager.find(Push, { where: { userId: owner.id } });
    expect(push).toMatchObject({ clientEncrypted: true, filesCount: 1 });
  });

  it('keeps what is asked for and chosen when the language of its form changes', async () => {
    await person.visit('/requests/new');
    const { page } = person;
    await page.locator('#request').fill('The password of the shop');
    await page.locator('#answers').fill('3');
    await page.locator('#close_after_duration').selectOption({ index: 1 });
    const chosen = await page.locator('#close_after_duration').inputValue();
    await person.chooseLanguage('Deutsch');
    await person.waitForHeading('Um ein Geheimnis bitten');

    expect(await page.locator('#request').inputValue()).toBe('The password of the shop');
    expect(await page.locator('#answers').inputValue()).toBe('3');
    expect(await page.locator('#close_after_duration').inputValue()).toBe(chosen);
    await person.press('Link erstellen');
    await person.waitForHeading('Ihr Link ist fertig');
    await person.chooseLanguage('English'); // which is that of the account
    await person.waitForHeading('Your link is ready');
  });

  it('whose connection breaks keeps what was typed, and is answered once', async () => {
    const url = await askOnPage();
    await stranger.visit(url);
    await stranger.context.setOffline(true);
    await stranger.fill({ 'Your answer': 'correct horse' });
    await stranger.press('Send');
    await stranger.page.locator('[data-form-alert] .banner').waitFor();
    expect(await stranger.page.getByLabel('Your answer').inputValue()).toBe('correct horse');
    await stranger.context.setOffline(false);
    await stranger.press('Send');
    await stranger.waitForHeading('Sent');
    expect(await answers()).toHaveLength(1);
  });

  it('whose response is lost is answered once', async () => {
    const url = await askOnPage();
    let posts = 0;
    await stranger.page.route('**/requests/*', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      posts += 1;
      if (posts > 1) return route.continue();
      await route.fetch();
      return route.abort('connectionreset');
    });
    await stranger.visit(url);
    await answer('correct horse');
    expect(posts).toBe(2);
    expect(await answers()).toHaveLength(1);
  });

  it('with another recipient on the server is refused, and nothing is sent', async () => {
    const url = await askOnPage();
    const other = await ageRecipient();
    const service = running.app.get(SecretRequestsService);
    const find = service.find.bind(service);
    const swapped = jest.spyOn(service, 'find').mockImplementation(async (token) => {
      const { row, texts } = await find(token);
      return { row, texts: { ...texts, recipient: other.recipient } };
    });
    await stranger.visit(url);
    await stranger.waitForHeading('This link does not fit');
    swapped.mockRestore();

    expect(await stranger.page.locator('form#answer').isVisible()).toBe(false);
    await stranger.visit('/');
    for (const cut of [url.replace(/#.*/, ''), url.slice(0, -1)]) {
      await stranger.visit(cut);
      await stranger.waitForHeading('This link is incomplete');
      await stranger.visit('/');
    }
    expect(await answers()).toEqual([]);
  });

  it('with a passphrase shows nothing before it, and keeps what was typed when that has to be entered again', async () => {
    const url = await askOnPage(async () => {
      await (await person.unfolded(person.page.locator('#passphrase'))).fill('open sesame');
    });
    await stranger.visit(url);
    expect(await main(stranger)).not.toContain('The password of the shop');
    await stranger.fill({ Passphrase: 'wrong' });
    await stranger.press('Continue');
    await stranger.page.locator('#passphrase-error').waitFor();
    await stranger.fill({ Passphrase: 'open sesame' });
    await stranger.press('Continue');
    await stranger.page.getByText('The password of the shop, please').waitFor();
    await stranger.fill({ 'Your answer': 'correct horse' });
    await stranger.context.clearCookies();
    await stranger.press('Send');
    await stranger.page
      .getByText('This request needs its passphrase.')
      .or(stranger.page.getByRole('link', { name: 'Enter the passphrase again' }))
      .first()
      .waitFor();
    expect(await stranger.page.getByLabel('Your answer').inputValue()).toBe('correct horse');
    const [tab] = await Promise.all([
      stranger.context.waitForEvent('page'),
      stranger.page.getByRole('link', { name: 'Enter the passphrase again' }).click(),
    ]);
    await tab.getByLabel('Passphrase', { exact: true }).fill('open sesame');
    await tab.getByRole('button', { name: 'Continue' }).click();
    await tab.getByText('The password of the shop, please').waitFor();
    await stranger.press('Send');
    await stranger.waitForHeading('Sent');
  });

  it('for a pasted recipient has no key here, and remembers it for the next request', async () => {
    const { recipient, identity } = await ageRecipient();
    const url = await askOnPage(async () => {
      await (await person.unfolded(person.page.locator('input[name=encryption][value=own]'))).check();
      await person.fill({ 'Your age recipient': recipient });
    });
    await person.page.getByRole('heading', { name: 'The key is not in this browser' }).waitFor();
    await stranger.visit(url);
    await answer('correct horse');
    const [token = ''] = await answers();
    await person.visit(`/p/${token}`);
    await chooseKey(person, `${identity}\n`);
    await person.page.locator('#secret').waitFor();
    expect(await person.page.locator('#secret').innerText()).toBe('correct horse');
    await person.visit('/requests/new');
    expect(await person.page.locator('input[name=recipient]').inputValue()).toBe(recipient);
  });

  it('is read with age 1.3 and the key file of the page', async () => {
    const age = findHybridAge();
    const url = await askOnPage();
    const [saved] = await Promise.all([person.page.waitForEvent('download'), person.press('Save the key')]);
    await stranger.visit(url);
    await answer('correct horse');
    const [token = ''] = await answers();
    const { payload } = (await owner.client.retrieve(token)).body as { payload: string };

    if (!age) return; // findHybridAge has said so
    const envelope = age.decrypt(payload, readFileSync(await saved.path(), 'utf8'));
    expect(JSON.parse(envelope)).toMatchObject({ v: 1, kind: 'text', text: 'correct horse', files: [] });
  });

  it('for an X25519 recipient is read with any age, and may be answered with age and curl', async () => {
    const age = findAge();
    if (!age) return; // findAge has said so
    const keyFile = age.newKeyFile();
    const { html_url: url, url_token: urlToken } = await ask(owner.client, {
      recipient: age.recipientOf(keyFile),
      answers: 2,
    });
    await stranger.visit(url as string);
    await answer('correct horse');
    const byAge = age.encrypt(
      '{"v":1,"kind":"text","text":"battery staple","files":[],"pad":""}',
      age.recipientOf(keyFile),
    );
    expect((await respond(running.anonymous, urlToken, byAge)).status).toBe(201);
    const [first = '', second = ''] = await answers();
    const { payload } = (await owner.client.retrieve(first)).body as { payload: string };
    expect(JSON.parse(age.decrypt(payload, keyFile))).toMatchObject({ text: 'correct horse' });

    await person.visit(`/p/${second}`);
    await chooseKey(person, keyFile);
    await person.page.locator('#secret').waitFor();
    expect(await person.page.locator('#secret').innerText()).toBe('battery staple');
  });

  it('for a pasted recipient is not created without one, or with one that is no key', async () => {
    await person.visit('/requests/new');
    await person.fill({ 'What do you need, and what for?': 'Your key, please' });
    await (await person.unfolded(person.page.locator('input[name=encryption][value=own]'))).check();
    for (const recipient of ['', 'age1tulip']) {
      await person.fill({ 'Your age recipient': recipient });
      await person.press('Create link');
      const field = person.page.getByLabel('Your age recipient');
      await person.page.getByText('Nothing can be encrypted to this recipient.').waitFor();
      expect(await field.getAttribute('aria-invalid')).toBe('true');
      expect(await person.page.evaluate('document.activeElement.id')).toBe('recipient');
      await field.fill('age1');
      expect(await person.page.getByText('Nothing can be encrypted to this recipient.').count()).toBe(0);
    }
    expect((await owner.client.get('/api/v2/requests/open')).body).toEqual([]);
  });

  it('is created once however often the button is pressed', async () => {
    await person.visit('/requests/new');
    await person.fill({ 'What do you need, and what for?': 'Your key, please' });
    await person.page.getByRole('button', { name: 'Create link' }).dblclick();
    await person.waitForHeading('Your link is ready');
    expect((await owner.client.get('/api/v2/requests/open')).body).toHaveLength(1);
    await person.page.getByRole('heading', { name: 'The key is in this browser' }).waitFor();
  });

  it('whose key the browser cannot keep is created only once it was saved', async () => {
    await person.page.addInitScript('delete window.indexedDB; delete IDBFactory.prototype.open');
    await person.visit('/requests/new');
    await person.fill({ 'What do you need, and what for?': 'Your key, please' });
    await person.press('Create link');
    await Promise.all([person.page.waitForEvent('download'), person.press('Save the key')]);
    expect((await owner.client.get('/api/v2/requests/open')).body).toEqual([]);
    await person.press('I have saved it: create the link');
    await person.waitForHeading('Your link is ready');
  });

  it('for which the server makes a link with another key is not shown to who asks', async () => {
    const other = await ageRecipient();
    const service = running.app.get(SecretRequestsService);
    const create = service.create.bind(service);
    for (const recipient of [other.recipient, undefined]) {
      const swapped = jest
        .spyOn(service, 'create')
        .mockImplementation((request, ...rest) => create({ ...request, recipient }, ...rest));
      await person.visit('/requests/new');
      await person.fill({ 'What do you need, and what for?': 'Your key, please' });
      await person.press('Create link');
      await person.page.getByText('The server has made this link for another key').waitFor();
      swapped.mockRestore();
      expect(await person.page.locator('#link').count()).toBe(0);
    }
  });

  it('sealed by the server needs no key, and its owner may let others open an answer', async () => {
    const { url_token: urlToken } = await ask(owner.client, { include_requestor: true });
    await stranger.visit(`/requests/${urlToken}`);
    await stranger.page.getByText(`${owner.email} asks:`).waitFor();
    await answer('correct horse');
    const [token = ''] = await answers();
    await person.visit(`/p/${token}`);
    await person.page.locator('#secret').waitFor();
    expect(await person.page.locator('#secret').innerText()).toBe('correct horse');
    await stranger.visit(`/p/${token}`);
    expect(await stranger.heading()).toBe('This secret is gone');

    await person.visit(`/p/${token}/audit`);
    await person.unfolded(person.page.locator('button', { hasText: 'Allow it' }));
    await person.press('Allow it');
    await person.page.locator('#link').waitFor();
    await stranger.openLink(await link());
    await stranger.page.locator('#secret').waitFor();
    expect(await stranger.page.locator('#secret').innerText()).toBe('correct horse');
  });
});
