import type { Locator } from 'playwright-core';
import { Session } from '../../src/auth/entities/session.entity.js';
import type { NoticeEvent } from '../../src/pushes/push/notice-events.js';
import { noticeBits } from '../../src/pushes/push/notice-events.js';
import { Push } from '../../src/pushes/push/push.entity.js';
import { eventually } from '../support/eventually.js';
import type { Fault } from '../support/faulty-proxy.js';
import { startFaultyProxy } from '../support/faulty-proxy.js';
import { makeFolder } from '../support/folder.js';
import { forAllTests } from '../support/for-tests.js';
import { startMailServer } from '../support/mail-server.js';
import { newSignedInUser, PASSWORD } from '../support/page-client.js';
import { Keyboard } from './support/keyboard.js';
import type { Person } from './support/person.js';
import { startSite } from './support/site.js';

const FILES = [
  { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('minutes') },
  { name: 'b.txt', mimeType: 'text/plain', buffer: Buffer.alloc(2000) },
];
const FAULTS: [name: string, error: Fault, message: string][] = [
  [
    'too many requests, with a time to wait',
    { status: 429, headers: { 'Retry-After': '90' }, body: '<h1>Slow down</h1>' },
    'Too many requests. Try again in 90 seconds.',
  ],
  [
    'an error of a proxy',
    { status: 503, body: '<h1>Service unavailable</h1>' },
    'The server cannot create links at the moment.',
  ],
  ['an answer that is not ours', { status: 200, body: '<h1>Welcome to the café</h1>' }, 'No answer'],
  ['a body that a proxy finds too large', { status: 413, body: '' }, 'This is too large to be sent here.'],
  ['connections that break before the server has it', 'cut before', 'No answer'],
  ['connections that break after the server has it', 'cut after', 'No answer'],
];

async function chooseLimits(person: Person, { views, days }: { views: string; days: string }): Promise<void> {
  await person.choose('Views', 'Other…');
  await person.choose('Expires after', 'Other…');
  await person.fill({ 'Number of views': views, 'Number of days': days });
}

describe('The form of a sender', () => {
  const context = { javaScriptEnabled: true };
  const folder = forAllTests(makeFolder);
  const { running, person, signIn } = startSite({
    settings: { END_TO_END: 'off', MAX_FILE_SIZE: '1000', MAX_PUSH_SIZE: '1500' },
    browser: context,
    url: () => proxy.url,
    expected: /^Failed to load resource/,
  });

  const proxy = forAllTests(() => startFaultyProxy(running.url));
  beforeEach(() => running.dataSource.manager.deleteAll(Push));
  afterEach(() => {
    proxy.repair();
  });

  const pushes = () => running.dataSource.manager.find(Push);
  const field = (id: string) => person.page.locator(`#${id}`);
  const alert = (text: string) => person.page.getByRole('alert').getByText(text).waitFor();
  const removeButtons = () => person.page.locator('[data-chosen] button');
  const focused = () => person.page.evaluate('document.activeElement.id');
  const linkToken = async () =>
    (await field('link').inputValue()).replace(/\/r$/, '').split('/').at(-1) ?? '';

  async function fillIn({ views = '1', days = '2' } = {}): Promise<void> {
    await person.fill({ Secret: 'correct horse', Passphrase: 'sesame' });
    await chooseLimits(person, { views, days });
    await (await person.unfolded(field('deletable_by_viewer'))).check();
  }

  async function expectFilledIn(): Promise<void> {
    expect(await field('payload').inputValue()).toBe('correct horse');
    expect(await field('passphrase').inputValue()).toBe('sesame');
    expect(await field('expire_after_views').inputValue()).toBe('1');
    expect(await field('expire_after_days').inputValue()).toBe('2');
    expect(await field('deletable_by_viewer').isChecked()).toBe(true);
  }

  async function expectOneAsChosen(more: Partial<Push> = {}): Promise<void> {
    expect(await pushes()).toMatchObject([
      { expireAfterViews: 1, expireAfterDays: 2, deletableByViewer: true, ...more },
    ]);
    const { body } = await running.anonymous.retrieve(await linkToken(), 'sesame');
    expect(body).toMatchObject({ payload: 'correct horse' });
    expect(body.files).toHaveLength(more.filesCount ?? 0);
    for (const { url } of body.files)
      expect(await (await fetch(new URL(new URL(url).pathname, running.url))).text()).toBe('minutes');
  }

  async function chooseFile(): Promise<void> {
    await person.page.getByRole('radio', { name: 'Files' }).check();
    await field('files').setInputFiles(folder.file('minutes', 'a.txt')); // one of the disk, which browsers send again
  }

  /** In the tab that a link opens. */
  async function signInAgain(email: string, link: Locator): Promise<void> {
    const opening = person.context.waitForEvent('page');
    await link.click();
    const tab = await opening;
    await tab.getByLabel('Email').fill(email);
    await tab.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await tab.locator('main').getByRole('button', { name: 'Sign in', exact: true }).click();
    await tab.getByRole('heading', { level: 1, name: 'You are signed in' }).waitFor();
    expect(await tab.locator('form#make').count()).toBe(0);
    await tab.close();
    await person.page.bringToFront();
    if (context.javaScriptEnabled) await person.page.evaluate('dispatchEvent(new Event("focus"))');
  }

  it.each(FAULTS)(
    'keeps what was typed after %s, with the files, and creates one push as chosen',
    async (_name, error, text) => {
      const { id } = await signIn();
      await person.visit('/');
      await fillIn();
      await chooseFile();
      proxy.break(error);
      await person.press('Create link');
      await alert(text);

      await expectFilledIn();
      proxy.repair();
      await person.createLink();
      await expectOneAsChosen({ userId: id, filesCount: 1 });
    },
  );

  it('is sent again by its script after one answer was lost, and creates one push', async () => {
    await person.visit('/');
    await fillIn();
    let posts = 0;
    const isForm = (url: URL) => url.pathname === '/';
    await person.page.route(isForm, async (route) => {
      if (route.request().method() !== 'POST' || ++posts > 1) return route.continue();
      await route.fetch();
      return route.abort('connectionreset');
    });
    await person.createLink();

    expect(posts).toBe(2);
    await expectOneAsChosen();
  });

  it('creates one push when the session ends after its answer was lost', async () => {
    const { id, email } = await signIn();
    await person.visit('/');
    await fillIn();
    proxy.break('cut after');
    await person.press('Create link');
    await alert('No answer');
    proxy.repair();
    await running.dataSource.manager.deleteAll(Session);
    await person.press('Create link');
    await alert('already created a link in another account');
    await signInAgain(email, person.page.getByRole('alert').getByRole('link', { name: 'Sign in' }));
    await person.createLink();

    await expectOneAsChosen({ userId: id });
  });

  it('creates one push when its sender signs in after its answer was lost', async () => {
    const { email } = await newSignedInUser(running);
    await person.visit('/');
    await fillIn();
    proxy.break('cut after');
    await person.press('Create link');
    await alert('No answer');
    proxy.repair();
    await signInAgain(email, person.page.locator('header a', { hasText: 'Sign in' }));
    await alert('You are signed in.');
    await person.createLink();

    await expectOneAsChosen({ userId: null });
    expect(await person.page.locator('[data-delete-link]').isVisible()).toBe(true);
  });

  it('asks before a link in the same tab loses what was typed, and not once it is sent', async () => {
    await person.visit('/');
    await fillIn();
    const asked: string[] = [];
    person.page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.dismiss();
    });
    // oxlint-disable-next-line typescript/no-deprecated -- it would wait for the next page, which does not come
    await person.page.locator('header .brand').click({ noWaitAfter: true });
    await eventually(() => asked.length === 1);

    expect(asked).toEqual(['beforeunload']);
    await expectFilledIn();
    await person.createLink();
    expect(asked).toHaveLength(1);
  });

  it('keeps all that was entered, also files, when its language changes, and creates one push after a lost answer', async () => {
    await signIn();
    await person.visit('/');
    await fillIn();
    await chooseFile();
    await person.fill({ Name: 'Zoë' });
    proxy.break('cut after');
    await person.press('Create link');
    await alert('No answer');
    proxy.repair();
    await person.chooseLanguage('Deutsch');
    await person.waitForHeading('Geheimnis teilen');

    await expectFilledIn();
    expect(await person.page.locator('html').getAttribute('lang')).toBe('de');
    expect(await field('name').inputValue()).toBe('Zoë');
    expect(await person.page.locator('[data-chosen] .name').textContent()).toBe('a.txt');
    expect(await person.page.locator('[data-ends]').textContent()).toMatch(/^längstens bis /);
    await person.press('Link erstellen');
    await person.waitForHeading('Ihr Link ist fertig');
    await expectOneAsChosen({ filesCount: 1 });
  });

  it('keeps what is typed while its language changes, also when that is chosen twice', async () => {
    await person.visit('/');
    let loads = 0;
    await person.page.route('**/language', async (route) => {
      loads += 1;
      await person.page.locator('#payload').fill('correct horse');
      await route.continue();
    });
    await person.page.locator('footer details > summary').click();
    await person.page.getByRole('button', { name: 'Deutsch' }).dblclick();
    await person.waitForHeading('Geheimnis teilen');
    await person.page.locator('#payload').press('End');
    await person.page.keyboard.type(' battery');

    expect(loads).toBe(1);
    expect(await field('payload').inputValue()).toBe('correct horse battery');
  });

  it('says so when its language cannot be changed, and keeps what was entered', async () => {
    await person.visit('/');
    await fillIn();
    proxy.break({ status: 503, body: '' });
    await person.chooseLanguage('Deutsch');
    await alert('The language could not be changed.');
    await expectFilledIn();
  });

  it('is sent by Ctrl+Enter from any of its fields', async () => {
    await person.visit('/');
    await fillIn();
    await field('payload').press('Control+Enter');
    await person.waitForHeading('Your link is ready');
    await expectOneAsChosen();
  });

  it('is sent by Enter in a web address, which is one line', async () => {
    await person.visit('/');
    await person.page.getByRole('radio', { name: 'Link' }).check();
    await field('payload').fill('https://example.com/tulips');
    await field('payload').press('Enter');
    await person.waitForHeading('Your link is ready');

    expect(await pushes()).toMatchObject([{ kind: 'url' }]);
  });

  it('removes an error once its value is corrected, and the message with the last one', async () => {
    await person.visit('/');
    await fillIn({ views: '1000', days: '400' });
    await person.page.getByRole('radio', { name: 'Link' }).check();
    await person.fill({ 'Web address': 'https://example.org/a b' });
    await person.press('Create link');
    await alert('Check the marked fields.');
    const errors = () => person.page.locator('.error').allTextContents();
    expect(await errors()).toContain('A web address has no spaces. Remove them, or share it as a text.');

    await person.fill({ 'Number of views': '200' });
    expect(await errors()).toHaveLength(3);
    await person.fill({ 'Number of views': '100' });
    await person.choose('Expires after', '1 day');
    expect(await errors()).toHaveLength(1);
    await person.page.getByRole('radio', { name: 'Text' }).check(); // where it is no error
    expect(await errors()).toEqual([]);
    expect(await person.page.getByRole('alert').textContent()).toBe('');
  });

  it('keeps what was typed while there is no network', async () => {
    await person.visit('/');
    await fillIn();
    await person.context.setOffline(true);
    await person.press('Create link');
    await alert('You are offline.');

    await expectFilledIn();
    await person.context.setOffline(false);
    await person.createLink();
    await expectOneAsChosen();
  });

  it('shows errors beside their fields, moves the focus there, and removes them when it is sent again', async () => {
    await person.visit('/');
    await fillIn({ views: '1000', days: '400' });
    await person.press('Create link');
    await alert('Check the marked fields.');

    expect(await person.page.locator('.error').allTextContents()).toEqual([
      'Enter a whole number from 1 to 100.',
      'Enter a whole number from 1 to 90.',
    ]);
    expect(await focused()).toBe('expire_after_views');
    expect(await field('expire_after_views').getAttribute('aria-describedby')).toContain(
      'expire_after_views-error',
    );
    expect(new URL(person.page.url()).pathname).toBe('/');
    await fillIn();
    await person.createLink();
    await expectOneAsChosen();
  });

  it('moves the focus to the files when none was chosen', async () => {
    await signIn();
    await person.visit('/');
    await person.page.getByRole('radio', { name: 'Files' }).check();
    await person.press('Create link');
    await alert('Check the marked fields.');

    expect(await person.page.locator('[data-field=files] .error').textContent()).toBe(
      'Choose at least one file.',
    );
    expect(await person.page.evaluate('document.activeElement.innerText')).toBe('Choose files');
  });

  it.each([
    ['one file that is too large', [FILES[1]]],
    [
      'files that are too large together',
      [FILES[0], { ...FILES[0], buffer: Buffer.alloc(900) }, { ...FILES[0], buffer: Buffer.alloc(900) }],
    ],
  ])('keeps all terms with %s', async (_name, files) => {
    await signIn();
    await person.visit('/');
    await person.page.getByRole('radio', { name: 'Files' }).check();
    await field('files').setInputFiles(files as typeof FILES);
    await chooseLimits(person, { views: '1', days: '2' });
    await person.press('Create link');
    await person.page.locator('[data-files-error]:not(:empty)').waitFor();

    expect(await person.page.getByRole('radio', { name: 'Files' }).isChecked()).toBe(true);
    expect(await field('expire_after_views').inputValue()).toBe('1');
    expect(await person.page.evaluate('document.querySelector("#files").files.length')).toBe(files.length);
    while ((await removeButtons().count()) > 0) await removeButtons().first().click();
    await field('files').setInputFiles([FILES[0] as (typeof FILES)[0]]);
    await person.createLink();
    expect(await pushes()).toMatchObject([{ kind: 'file', expireAfterViews: 1, expireAfterDays: 2 }]);
  });

  it('never changes its owner without asking, when the session has ended', async () => {
    await signIn();
    await person.visit('/');
    await fillIn();
    await running.dataSource.manager.deleteAll(Session);
    await person.press('Create link');
    await alert('You are not signed in any more');

    expect(await pushes()).toEqual([]);
    await expectFilledIn();
    await person.press('Create link without an account');
    await person.waitForHeading('Your link is ready');
    expect(await pushes()).toMatchObject([{ userId: null }]);
    await expectOneAsChosen();
  });

  it('is sent for the same account after signing in again in another tab', async () => {
    const { id, email } = await signIn();
    await person.visit('/');
    await fillIn();
    await running.dataSource.manager.deleteAll(Session);
    await person.press('Create link');
    await alert('You are not signed in any more');
    await signInAgain(email, person.page.getByRole('alert').getByRole('link', { name: 'Sign in' }));
    await person.createLink();

    await expectOneAsChosen({ userId: id });
  });

  it('keeps what was typed while the visitor signs in to share files', async () => {
    const { email } = await newSignedInUser(running);
    await person.visit('/');
    await fillIn();
    await person.page.getByRole('radio', { name: 'Files' }).check();
    await signInAgain(email, person.page.locator('[data-sign-in] a').first());
    await alert('You are signed in.');

    await expectFilledIn();
    const undrawn = `[...document.querySelectorAll('header use')].map((use) => use.getAttribute('href')).filter((icon) => !document.querySelector(icon))`;
    expect(await person.page.evaluate(undrawn)).toEqual([]);
    await chooseFile();
    await person.createLink();
    expect((await pushes())[0]).toMatchObject({ kind: 'file', expireAfterViews: 1 });
  });

  it.each(['Text', 'Files'])(
    'notices on sending %s that its visitor has signed in meanwhile',
    async (kind) => {
      await person.visit('/');
      await fillIn();
      await person.page.getByRole('radio', { name: kind }).check();
      const opening = person.context.waitForEvent('page');
      await person.page.locator('header a', { hasText: 'Sign in' }).click();
      await (await opening).close();
      const { id } = await signIn(); // of which no event tells this page
      if (kind === 'Files') await chooseFile();
      await person.createLink();

      expect(await pushes()).toMatchObject([{ userId: id }]);
    },
  );

  it('is left by its link to sign in while nothing is lost, and then sent for the account by who goes back', async () => {
    await person.visit('/');
    await person.page.locator('header a', { hasText: 'Sign in' }).click();
    await person.waitForHeading('Sign in');
    expect(person.context.pages()).toHaveLength(1);
    const { id } = await signIn();
    await person.page.goBack();
    await fillIn();
    await person.createLink();

    expect(await pushes()).toMatchObject([{ userId: id }]);
  });

  it('can be cancelled while it finds out whether its visitor has signed in', async () => {
    await person.visit('/');
    await fillIn();
    const opening = person.context.waitForEvent('page');
    await person.page.locator('header a', { hasText: 'Sign in' }).click();
    await (await opening).close();
    const isPage = (url: URL) => url.pathname === '/';
    await person.page.route(isPage, () => undefined); // never answers
    await person.press('Create link');
    await person.press('Cancel');
    await alert('Cancelled.');

    expect(await pushes()).toEqual([]);
    await expectFilledIn();
    await person.page.unroute(isPage);
    await person.createLink();
    await expectOneAsChosen();
  });

  it('has a number of views that typing replaces', async () => {
    await person.visit('/');
    await fillIn({ views: '5', days: '2' });
    await person.page.getByLabel('Number of views').click();
    await person.page.keyboard.type('2');

    expect(await person.page.getByLabel('Number of views').inputValue()).toBe('2');
  });

  it('shows how much of it has been sent, and can be cancelled and sent again', async () => {
    await person.visit('/');
    await fillIn();
    await person.fill({ Secret: 'x'.repeat(400_000) });
    const connection = await person.context.newCDPSession(person.page);
    const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 100_000 };
    await connection.send('Network.emulateNetworkConditions', slow);
    await person.press('Create link');
    await person.page
      .locator('[data-percent]')
      .getByText(/^[1-9]\d?%$/)
      .waitFor();
    await person.press('Cancel');
    await alert('Cancelled.');

    expect(await person.page.locator('[data-upload], .banner.bad').filter({ visible: true }).count()).toBe(0);
    expect(await field('payload').inputValue()).toHaveLength(400_000);
    await person.fill({ Secret: 'correct horse' });
    await expectFilledIn();
    await connection.send('Network.emulateNetworkConditions', { ...slow, uploadThroughput: -1 });
    await person.createLink();
    await expectOneAsChosen();
  });

  it('leads to a page that survives a reload, with the delete link that no address has, and Back to the form with its options and no secret', async () => {
    const addresses: string[] = [];
    person.page.on('framenavigated', (frame) => addresses.push(frame.url()));
    await person.visit('/');
    await fillIn();
    const link = await person.createLink();
    const deleteLink = await field('delete-link').inputValue();
    await person.page.reload();

    expect(deleteLink).toMatch(/\/delete#[\w-]{43}$/);
    expect(await field('link').inputValue()).toBe(link);
    expect(await field('delete-link').inputValue()).toBe(deleteLink);
    await person.page.goBack();
    expect(await person.heading()).toBe('Share a secret');
    expect(await field('payload').inputValue()).toBe('');
    expect(await field('passphrase').inputValue()).toBe('');
    expect(await person.page.getByRole('checkbox', { name: 'Passphrase' }).isChecked()).toBe(true);
    expect(await field('expire_after_views').inputValue()).toBe('1');
    expect(await field('expire_after_days').inputValue()).toBe('2');
    await person.page.goForward();
    expect(await field('delete-link').inputValue()).toBe(deleteLink);
    expect(addresses.filter((address) => address.includes(deleteLink.split('#')[1] ?? ''))).toEqual([]);
    expect(await person.page.evaluate('sessionStorage.length')).toBe(0);
    expect(await pushes()).toHaveLength(1);
    expect(person.errors).toEqual([]);
  });

  describe('without scripts', () => {
    beforeAll(() => (context.javaScriptEnabled = false));

    it.each(FAULTS)(
      'is sent as it was filled in when the page is reloaded after %s, and creates one push',
      async (_name, error) => {
        const { id } = await signIn();
        await person.visit('/');
        await fillIn();
        await chooseFile();
        proxy.break(error);
        await person.press('Create link');
        await field('payload').waitFor({ state: 'detached' });
        proxy.repair();
        await person.page.reload();

        await person.waitForHeading('Your link is ready');
        await expectOneAsChosen({ userId: id, filesCount: 1 });
      },
    );

    it('is sent as it was filled in when the sender signs in again and reloads the page', async () => {
      const { id, email } = await signIn();
      await person.visit('/');
      await fillIn();
      await chooseFile();
      await running.dataSource.manager.deleteAll(Session);
      await person.press('Create link');
      await signInAgain(email, person.page.getByRole('alert').getByRole('link', { name: 'Sign in' }));
      await person.page.reload();

      await person.waitForHeading('Your link is ready');
      await expectOneAsChosen({ userId: id, filesCount: 1 });
    });

    it('keeps all terms when a file is too large', async () => {
      await signIn();
      await person.visit('/');
      await person.page.getByRole('radio', { name: 'Files' }).check();
      await field('files').setInputFiles([FILES[1] as (typeof FILES)[0]]);
      await person.fill({ Name: 'Zoë' });
      await chooseLimits(person, { views: '1', days: '2' });
      await (await person.unfolded(field('retrieval_step'))).check();
      await person.press('Create link');

      expect(await field('files-error').textContent()).toBe('Each file can be up to 1,000\u00a0bytes.');
      expect(await person.page.getByRole('radio', { name: 'Files' }).isChecked()).toBe(true);
      expect(await field('expire_after_views').inputValue()).toBe('1');
      expect(await field('expire_after_days').inputValue()).toBe('2');
      expect(await field('retrieval_step').isChecked()).toBe(true);
      expect(await field('name').inputValue()).toBe('Zoë');
    });
  });
});

describe('The form of a sender who gets mails', () => {
  const server = forAllTests(startMailServer);
  const { running, person, signIn } = startSite({
    settings: () => ({ ...server.env, PUBLIC_URL: 'http://push.example.org' }), // without TLS, as this browser
    url: () => proxy.url,
    expected: /^Failed to load resource/,
  });
  const proxy = forAllTests(() => startFaultyProxy(running.url));
  beforeEach(() => running.dataSource.manager.deleteAll(Push));
  afterEach(() => {
    proxy.repair();
  });

  const pushes = () => running.dataSource.manager.find(Push);
  const box = (event: NoticeEvent) => person.page.locator(`#${event}`);
  const alert = (text: string) => person.page.getByRole('alert').getByText(text).waitFor();
  const ticked = () =>
    person.page.locator('[data-field=notify_on] :checked').evaluateAll((all) => all.map(({ id }) => id));

  /** With an account that gets mails about first views. */
  async function signInWithNotices(): Promise<void> {
    const { id } = await signIn();
    const bits = noticeBits(['first_view']);
    await running.query(`UPDATE users SET notify_on = ${bits} WHERE id = ?`, [id]);
  }

  it('has the events chosen by keyboard, keeps them after an error, and encrypts in the browser', async () => {
    await signInWithNotices();
    await person.visit('/');
    await person.fill({ Secret: 'correct horse' });
    await chooseLimits(person, { views: '1000', days: '2' });
    const keyboard = new Keyboard(person.page);
    await keyboard.tabTo(person.page.getByLabel('Notify me'));
    expect(await ticked()).toEqual(['first_view']);
    for (const event of ['first_view', 'each_view'] as const) {
      await keyboard.tabTo(box(event));
      await keyboard.press('Space');
    }
    await person.press('Create link');
    await alert('Check the marked fields.');

    expect(await ticked()).toEqual(['each_view']);
    expect(keyboard.errors).toEqual([]);
    await chooseLimits(person, { views: '3', days: '2' });
    await person.createLink();
    expect(await pushes()).toMatchObject([{ clientEncrypted: true, notifyOn: noticeBits(['each_view']) }]);
    expect(await person.page.getByText('Each opening').count()).toBe(1);
  });

  it('has no mails sent when all boxes are unticked', async () => {
    await signInWithNotices();
    await person.visit('/');
    await person.fill({ Secret: 'correct horse' });
    await (await person.unfolded(box('first_view'))).uncheck();
    await person.createLink();

    expect(await pushes()).toMatchObject([{ notifyOn: 0 }]);
  });

  it('is sent without an account, and without mails, when the session has ended', async () => {
    await signInWithNotices();
    await person.visit('/');
    await person.fill({ Secret: 'correct horse' });
    await running.dataSource.manager.deleteAll(Session);
    await person.press('Create link');
    await alert('You are not signed in any more');
    await person.press('Create link without an account');
    await person.waitForHeading('Your link is ready');

    expect(await pushes()).toMatchObject([{ userId: null, notifyOn: 0 }]);
  });

  it('offers them to who signs in meanwhile, and creates one push if its answer was lost before', async () => {
    await person.visit('/');
    await person.fill({ Secret: 'correct horse' });
    proxy.break('cut after');
    await person.press('Create link');
    await alert('No answer');
    proxy.repair();
    const opening = person.context.waitForEvent('page');
    await person.page.locator('header a', { hasText: 'Sign in' }).click();
    await (await opening).close();
    await signInWithNotices();
    await person.page.evaluate('dispatchEvent(new Event("focus"))');
    await alert('You are signed in.');

    expect(await ticked()).toEqual(['first_view']);
    await person.createLink();
    expect(await pushes()).toMatchObject([{ userId: null, notifyOn: 0 }]);
  });
});

describe('The form of a sender where only accounts may create links', () => {
  const { running, person, signIn } = startSite({ settings: { ALLOW_ANONYMOUS: 'false' } });

  it('offers to sign in again when the session has ended, and keeps what was typed', async () => {
    const { id: userId } = await signIn();
    await person.visit('/');
    await person.page.locator('#payload').fill('correct horse');
    await running.dataSource.manager.delete(Session, { userId });
    await person.press('Create link');
    await person.page.locator('[data-form-alert] a', { hasText: 'Sign in' }).waitFor();

    expect(await person.page.locator('[data-form-alert]').innerText()).not.toContain('passphrase');
    expect(await person.page.locator('#payload').inputValue()).toBe('correct horse');
  });
});
