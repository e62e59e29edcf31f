import type { Page } from 'playwright-core';
import { User } from '../../src/auth/entities/user.entity.js';
import { Push } from '../../src/pushes/push/push.entity.js';
import { pushEndToEnd } from '../support/end-to-end-push.js';
import { pushFiles } from '../support/files.js';
import { forAllTests, forEachTest } from '../support/for-tests.js';
import { startMailServer } from '../support/mail-server.js';
import { PageClient } from '../support/page-client.js';
import { Recipients } from '../support/recipients.js';
import { axeErrors } from './support/axe.js';
import { smallTargets, tooWide } from './support/look.js';
import { showAs } from './support/show-as.js';
import type { Site } from './support/site.js';
import { startSite } from './support/site.js';

const ADA = 'ada@example.org';
const FILES = ['contract.pdf', 'photo.jpg', 'export.sql.gz'].map((name) => ({
  name,
  content: Buffer.alloc(300_000, name),
}));
const MESSAGE = 'Quarterly numbers.\nThe contract is signed on page 4.';

const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };
const SMALL_WIDTH = 320;
/** In pixels, from the top of the page of a phone. */
const COPY_AT = 480;
const OPEN_AT = 710;

/** For all tests of a describe block: an app that sends mails, and a page to look at. */
function startLook(viewport: typeof DESKTOP): Look {
  const settings: Record<string, string> = { FILES_REQUIRE_AUTHENTICATION: 'false' };
  const server = forAllTests(startMailServer);
  beforeAll(() => {
    Object.assign(settings, server.env, { PUBLIC_URL: 'http://push.example.org' });
  });
  const site = startSite({
    settings,
    browser: { viewport, permissions: ['clipboard-read', 'clipboard-write'] },
    expected: /^Failed to load resource/,
  });
  const recipients = forEachTest(() => new Recipients(site.running, server));
  beforeEach(() => recipients.reset());
  return { site, recipients, here: (link) => link.replace('http://push.example.org', site.running.url) };
}

interface Look {
  site: Site;
  recipients: Recipients;
  /** A link to the app itself. */
  here: (link: string) => string;
}

const bottomOf = async (page: Page, name: string): Promise<number> => {
  const box = await page.getByRole('button', { name, exact: true }).boundingBox();
  if (!box) throw new Error(`${name} is not shown`);
  return box.y + box.height;
};

/** What a page must have in each state. */
async function expectGoodLook({ site: { person } }: Look, name: string): Promise<void> {
  const { page } = person;
  const before = page.viewportSize() ?? DESKTOP;
  const errors: string[] = [];
  for (const { width } of [DESKTOP, PHONE])
    for (const scheme of ['light', 'dark'] as const) {
      await showAs(page, scheme, width);
      errors.push(...(await axeErrors(page)).map((error) => `${name}, ${scheme}, ${width}: ${error}`));
    }
  errors.push(...(await smallTargets(page)).map((error) => `${name}: ${error}`));
  await page.setViewportSize({ ...PHONE, width: SMALL_WIDTH });
  errors.push(...(await tooWide(page)).map((error) => `${name}: ${error}`));
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(before);

  expect(errors).toEqual([]);
  expect(await page.locator('h1:visible').count()).toBe(1);
}

describe.each([DESKTOP, PHONE])('The ready page at $width x $height', (viewport) => {
  const look = startLook(viewport);
  const { person, running } = look.site;
  const button = (name: string) => person.page.getByRole('button', { name, exact: true });
  const summary = (text: string) => person.page.locator('summary', { hasText: text });

  async function create(): Promise<void> {
    await person.visit('/');
    await person.page.locator('#payload').fill('correct horse');
    await person.press('Create link');
    await person.waitForHeading('Your link is ready');
  }

  /** As the form hands it over. */
  async function handOver(urlToken: string, secrets: Record<string, string>): Promise<void> {
    await person.visit('/how-it-works');
    const path = `/p/${urlToken}/preview`;
    const handedOver = JSON.stringify([path, `#${new URLSearchParams(secrets).toString()}`]);
    await person.page.evaluate(`sessionStorage.setItem('sealpush.result', ${JSON.stringify(handedOver)})`);
    await person.visit(path);
    await person.waitForHeading('Your link is ready');
  }

  it('is the sealed letter with the link in one line, which is copied first', async () => {
    await create();

    await button('Copy link').and(person.page.locator(':focus')).waitFor();
    const link = await person.page.locator('#link').boundingBox();
    expect(link?.height).toBeLessThanOrEqual(48);
    if (viewport === PHONE) expect(await bottomOf(person.page, 'Copy link')).toBeLessThanOrEqual(COPY_AT);
    const facts = await person.page.getByRole('listitem').allInnerTexts();
    expect(facts.join('\n')).toMatch(/Text, 13 characters\nGone after \d+ views, or \S.* at /);
    expect(await person.page.locator('.primary:visible').count()).toBe(1);
    await expectGoodLook(look, 'ready');
  });

  it('says Copied, and keeps the label of the button', async () => {
    await create();
    await person.press('Copy link');
    await person.page.getByRole('status').getByText('Copied').waitFor();

    expect(await button('Copy link').isVisible()).toBe(true);
    expect(await person.page.getByText('The link is shown only in this tab.').isVisible()).toBe(true);
  });

  it('asks before it is left without the link, and not once it was copied', async () => {
    const asked: string[] = [];
    person.page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.dismiss();
    });
    await create();
    const again = person.page.getByRole('link', { name: 'Share another secret' });
    await again.click();
    expect(asked).toEqual(['beforeunload']);

    await person.press('Copy link');
    await person.page.getByText('The link is shown only in this tab.').waitFor();
    await again.click();
    await person.page.waitForURL(`${running.url}/`);
    expect(asked).toHaveLength(1);
  });

  it('deletes the secret after one question, and calls the link for that by its name', async () => {
    await create();
    const [, token = ''] = /\/p\/([\w-]{43})/.exec(person.page.url()) ?? [];
    expect(await person.page.getByText(/^delete link$/i).count()).toBe(0);
    await summary('Keep a way to delete it later…').click();
    const forDeleting = person.page.getByLabel('Link for deleting', { exact: true });
    expect(await forDeleting.inputValue()).toMatch(/\/delete#[\w-]{43}$/);
    expect(await button('Copy the link for deleting').isVisible()).toBe(true);
    await expectGoodLook(look, 'ready with link for deleting');

    await summary('Delete this secret…').click();
    await person.press('Delete permanently');
    await person.waitForHeading('Secret deleted');
    expect((await running.anonymous.retrieve(token)).body.deleted).toBe(true);
  });

  it('says that nobody was emailed where people are named, and masks the passphrase', async () => {
    const { client } = await look.site.signIn();
    const { urlToken, fragment } = await pushEndToEnd(
      client,
      { text: 'correct horse', passphrase: 'blue horse' },
      { recipients: ADA },
    );
    await handOver(urlToken, { link: fragment, passphrase: 'blue horse', shared: 'Text, 13 characters' });

    expect(await person.page.locator('main').innerText()).toContain(
      `Nobody was emailed. Send the link to ${ADA} yourself.`,
    );
    const passphrase = person.page.getByLabel('Passphrase', { exact: true });
    expect([await passphrase.getAttribute('type'), await passphrase.inputValue()]).toEqual([
      'password',
      'blue horse',
    ]);
    await person.press('Show passphrase');
    expect(await passphrase.getAttribute('type')).toBe('text');
    await person.press('Copy passphrase');
    await person.page.waitForFunction(`navigator.clipboard.readText().then((text) => text === 'blue horse')`);
    if (viewport === PHONE) expect(await bottomOf(person.page, 'Copy link')).toBeLessThanOrEqual(COPY_AT);
    await expectGoodLook(look, 'ready for people');
  });

  it('says nothing of mails where the link was mailed from here', async () => {
    const { client } = await look.site.signIn();
    const { url_token } = await client.push({
      payload: 'correct horse',
      recipients: [ADA],
      notify_emails_to: ADA,
    });
    await person.visit(`/p/${url_token}/preview`);

    const text = await person.page.locator('main').innerText();
    expect(text).not.toContain('Nobody was emailed');
    expect(text).toContain(`Opens only for ${ADA}`);
  });
});

describe('The ready page without a script', () => {
  const { running, meet } = startSite();

  it('shows the link, deletes, and has the link for deleting', async () => {
    const { body } = await new PageClient(running.url).post('/', { 'push[payload]': 'correct horse' });
    expect(body).toMatch(/<input type="hidden" name="delete_key" value="[\w-]{43}"/);
    const reader = await meet({ javaScriptEnabled: false });
    await reader.visit('/');
    await reader.page.locator('#payload').fill('correct horse');
    await reader.press('Create link');
    await reader.waitForHeading('Your link is ready');
    expect(await reader.page.getByLabel('Link', { exact: true }).inputValue()).toContain('/p/');
    await reader.page.locator('summary', { hasText: 'Delete this secret…' }).click();
    await reader.press('Delete permanently');

    await reader.waitForHeading('Secret deleted');
  });
});

describe.each([DESKTOP, PHONE])('The letter at $width x $height', (viewport) => {
  const look = startLook(viewport);
  const { person, running, signIn } = look.site;
  const main = () => person.page.locator('main').innerText();
  const button = (name: string) => person.page.getByRole('button', { name, exact: true });

  const languages = () => person.page.locator('footer details:has(button[name=language])');

  /** The letter is at its place, and so is its button. */
  async function expectLetter(name: string, submit = 'Open'): Promise<void> {
    await button(submit).waitFor();
    if (viewport === PHONE) expect(await bottomOf(person.page, submit)).toBeLessThanOrEqual(OPEN_AT);
    expect(await person.page.locator('.primary:visible').count()).toBe(1);
    await expectGoodLook(look, name);
    expect(await languages().count()).toBe(1);
  }

  it('says that it is a text, that it opens once, and who cannot read it', async () => {
    const { link } = await pushEndToEnd(running.anonymous, { text: 'x' }, { expire_after_views: '1' });
    await person.visit(look.here(link));
    await expectLetter('text');

    expect(await person.heading()).toBe('Someone sent you a secret');
    expect(await main()).toMatch(
      /\nText\n+It opens once\. Have a safe place ready for it\.\n+Expires \S.* at /,
    );
    expect(await main()).toMatch(
      /\nOpen\s+Encrypted by the sender’s browser\.[^\n]*\s+Open without this page$/,
    );
  });

  it('names its sender', async () => {
    const { client, email } = await signIn();
    const { link } = await pushEndToEnd(client, { text: 'x' });
    await running.dataSource.manager.update(User, { email }, { emailUnverified: false });
    await running.dataSource.manager.updateAll(Push, { namesSender: true });
    await person.context.clearCookies();
    await person.visit(look.here(link));
    await expectLetter('from a sender');

    expect(await person.heading()).toBe(`${email} sent you a secret`);
  });

  it('says how many files there are, and how large they are', async () => {
    const { link } = await pushEndToEnd(running.anonymous, { kind: 'file', files: FILES });
    await person.visit(look.here(link));
    await expectLetter('files');

    expect(await person.heading()).toBe('Someone sent you files');
    expect(await main()).toMatch(/3 files, 8\d\d(\.\d)?\s[Kk]i?B/);
  });

  it('says nothing of what is in it to whoever has the link alone', async () => {
    const { url_token } = await pushFiles(running.anonymous, FILES, { passphrase: 'sesame' });
    await person.visit(`/p/${url_token as string}`);
    await expectLetter('behind a passphrase of the server');

    expect(await person.heading()).toBe('Someone sent you a secret');
    expect(await main()).not.toMatch(/\bfiles?\b|iB|left|Expires/);
  });

  it('says directly below the passphrase that it is wrong', async () => {
    const { link } = await pushEndToEnd(running.anonymous, { text: 'x', passphrase: 'sesame' });
    await person.visit(look.here(link));
    expect(await main()).toContain('Text, behind a passphrase');
    await person.fill({ Passphrase: 'wrong' });
    await person.press('Open');
    const error = person.page.getByRole('alert').getByText('The passphrase is wrong.');
    await error.waitFor();
    await expectLetter('wrong passphrase');

    const [field, wrong, hint] = await Promise.all(
      [
        person.page.getByLabel('Passphrase', { exact: true }),
        error,
        person.page.getByText('Capitals, spaces'),
      ].map(async (each) => (await each.boundingBox()) ?? { y: 0, height: 0 }),
    );
    expect((wrong?.y ?? 0) - ((field?.y ?? 0) + (field?.height ?? 0))).toBeLessThan(16);
    expect(hint?.y).toBeGreaterThan(wrong?.y ?? Infinity);
  });

  it('asks those who are named for their address, and then for the code', async () => {
    const { link } = await pushEndToEnd(running.anonymous, { text: 'x' }, { recipients: ADA });
    await person.visit(look.here(link));
    await expectLetter('for people', 'Send me a code');
    expect(await main()).toContain('Only for people they named');
    expect(await main()).toContain(
      'If it is one of those named, a code comes by email. No view is used yet.',
    );
    await person.fill({ 'Your email address': ADA });
    await person.press('Send me a code');
    await person.waitForHeading('Enter the code');
    await expectLetter('code');

    expect(await main()).toContain(`for ${ADA}`);
    expect(await person.page.getByText('Wrong address, or no email?').isVisible()).toBe(true);
    const style = await person.page.getByLabel('Code from the email').evaluate(styleOf);
    expect(style.fontFamily).toContain('Mono');
    expect(style.direction).toBe('ltr');
  });

  it('says of a link that was changed on its way who has seen its key, and nowhere that nobody can', async () => {
    const { url, fragment } = await pushEndToEnd(running.anonymous, { text: 'x' });
    await person.visit(look.here(`${url}%23${fragment}`));
    const banner = person.page.getByText('This link was changed on its way,');
    await banner.waitFor();
    await expectLetter('repaired');

    expect(await main()).toContain('that program and this server have seen its key');
    expect(await main()).not.toContain('cannot read');
    await person.press('Open');
    await person.waitForHeading('Here is the secret');
    expect(await main()).not.toMatch(/cannot read|never read/);
  });

  it('has no button where its key was cut off, and says that nothing was used up', async () => {
    const { url } = await pushEndToEnd(running.anonymous, { text: 'x' });
    await person.visit(look.here(url));
    await person.waitForHeading('This link is incomplete');
    await expectGoodLook(look, 'cut');
    expect(await languages().count()).toBe(1);

    expect(await person.page.locator('main').getByRole('button').count()).toBe(0);
    expect(await main()).toBe(
      'This link is incomplete\n\nIts end is missing, where the key is. Ask the sender for the whole link.\n\nNothing was used up.',
    );
  });

  it('has no button where it has ended', async () => {
    await person.visit(`/p/${'a'.repeat(43)}`);
    await person.waitForHeading('This secret is gone');
    await expectGoodLook(look, 'ended');
    expect(await languages().count()).toBe(1);

    expect(await person.page.locator('main').getByRole('button').count()).toBe(0);
    expect(await main()).toContain('You still need it? Ask whoever sent you the link.');
  });

  it('is a paper with the secret when it is opened', async () => {
    const { link } = await pushEndToEnd(
      running.anonymous,
      { text: 'O0l1I|-hG7#vQ2' },
      { expire_after_views: '1' },
    );
    await person.visit(look.here(link));
    await person.press('Open');
    await person.waitForHeading('Here is the secret');
    const secret = person.page.getByLabel('Secret', { exact: true });
    await secret.waitFor();
    await expectGoodLook(look, 'opened text');

    expect(await person.page.locator('.primary:visible').count()).toBe(1);
    const style = await secret.evaluate(styleOf);
    expect([style.direction, style.fontFamily.includes('Mono')]).toEqual(['ltr', true]);
    await secret.focus();
    expect(await person.page.locator('#secret:focus').count()).toBe(1);
    const facts = await person.page.getByRole('listitem').allInnerTexts();
    expect(facts).toEqual(['That was the last view. It is deleted now, so keep what you need.']);
    await person.press('Hide');
    await button('Show').waitFor();
    expect(await secret.isVisible()).toBe(false);
  });

  it.each([
    ['1', 'That was the last view. Download within 10 minutes, then the files are deleted.'],
    ['2', 'Download within 10 minutes.'],
  ])('is a list of files with their message, of %s views', async (expire_after_views, fact) => {
    const secret = { kind: 'file', text: MESSAGE, files: FILES } as const;
    const { link } = await pushEndToEnd(running.anonymous, secret, { expire_after_views });
    await person.visit(look.here(link));
    await person.press('Open');
    await person.waitForHeading('Here are the files');
    await person.page.getByText('The contract is signed').waitFor();
    await expectGoodLook(look, 'opened files');

    const message = person.page.getByText('The contract is signed');
    expect(await message.innerText()).toBe(MESSAGE);
    expect((await message.evaluate(styleOf)).fontFamily).not.toContain('Mono');
    expect(await person.page.getByRole('button', { name: 'Copy', exact: true }).count()).toBe(0);
    expect(await person.page.locator('.primary:visible').allInnerTexts()).toEqual([
      expect.stringMatching(/^Download all \(zip, /),
    ]);
    expect(await person.page.getByRole('link', { name: 'Download contract.pdf' }).count()).toBe(1);
    expect(await person.page.getByRole('listitem').allInnerTexts()).toContain(fact);
    expect(await main()).toContain('Decrypted in this browser. This server never read it.');
  });

  it('is one button where there is one file', async () => {
    const { link } = await pushEndToEnd(running.anonymous, { kind: 'file', files: FILES.slice(0, 1) });
    await person.visit(look.here(link));
    await person.press('Open');
    await person.waitForHeading('Here is the file');
    await person.page.getByRole('link', { name: 'Download contract.pdf', exact: true }).waitFor();

    expect(await person.page.getByRole('link', { name: /^Download/ }).count()).toBe(1);
    await expectGoodLook(look, 'opened file');
  });
});

/** Runs in the browser. */
function styleOf(element: any): { fontFamily: string; direction: string } {
  const { fontFamily, direction } = (globalThis as any).getComputedStyle(element);
  return { fontFamily: String(fontFamily).split(',')[0] ?? '', direction };
}
