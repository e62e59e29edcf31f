import { clientEncryptedPush } from '../support/age-files.js';
import type { Client } from '../support/client.js';
import { forAllTests } from '../support/for-tests.js';
import { allSent } from '../support/mailbox.js';
import { startMailServer } from '../support/mail-server.js';
import { askForCode, openWith } from '../support/recipients.js';
import { ask, respond } from '../support/requests.js';
import { axeErrors } from './support/axe.js';
import { smallTargets, tooWide } from './support/look.js';
import { showAs } from './support/show-as.js';
import { startSite } from './support/site.js';

const DESK = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };
const NAMES = Array.from({ length: 12 }, (_, i) => `Brightwater: login ${i + 1}`);

describe.each([DESK, PHONE])('What an owner sees at $width x $height', (viewport) => {
  const settings: Record<string, string> = { ENABLE_REQUESTS_API: 'true', ANSWERS_PER_MINUTE: '0' };
  const server = forAllTests(startMailServer); // without which nobody can be named
  beforeAll(() => {
    Object.assign(settings, server.env, { PUBLIC_URL: 'http://push.example.org' });
  });
  const { running, person, signIn } = startSite({
    settings,
    browser: { viewport, reducedMotion: 'reduce' },
  });
  let api: Client;
  const current = () => person.page;
  const isWide = viewport.width > 1000;

  beforeEach(async () => ({ client: api } = await signIn()));

  const share = async (fields: Record<string, unknown> = {}) =>
    (await api.push({ payload: 'correct horse', ...fields })).url_token as string;
  /** The secrets of the list, once it is shown. */
  const list = async () => {
    await person.visit('/pushes');
    await current().getByRole('table').waitFor();
  };
  const boxes = async (selector: string): Promise<{ top: number; bottom: number; height: number }[]> =>
    current()
      .locator(selector)
      .evaluateAll((elements: any[]) => elements.map((element) => element.getBoundingClientRect().toJSON()));

  /** With both schemes, and on the narrowest screen without scrolling sideways. */
  async function expectGoodPage(): Promise<void> {
    for (const scheme of ['light', 'dark'] as const) {
      await showAs(current(), scheme, viewport.width);
      expect(await axeErrors(current())).toEqual([]);
    }
    await showAs(current(), 'light', 320);
    expect(await tooWide(current())).toEqual([]);
    await showAs(current(), 'light', viewport.width);
    if (!isWide) expect(await smallTargets(current())).toEqual([]);
  }

  it('is a list that begins high, with many rows, in which no cell but the name takes two lines', async () => {
    for (const name of NAMES) await share({ name });
    await share({ name: 'A very long name of a secret, '.repeat(8), passphrase: 'sesame' });
    await list();
    const rows = await boxes('tbody tr');
    const [table] = await boxes('table');

    expect(table?.top).toBeLessThanOrEqual(240);
    expect(rows.filter(({ bottom }) => bottom <= viewport.height).length).toBeGreaterThanOrEqual(
      isWide ? 9 : 8,
    );
    if (isWide) {
      const cells = await current()
        .locator('tbody td')
        .evaluateAll((all: any[]) =>
          all.filter((cell) => cell.checkVisibility()).map((cell) => cell.clientHeight),
        );
      expect(Math.max(...cells) - Math.min(...cells)).toBeLessThanOrEqual(1); // the border between them
    }
    await expectGoodPage();
  });

  it('cuts a long name at its own end, also on a page that is read from right to left', async () => {
    const name = `Brightwater ${'router of the guest network '.repeat(8)}`;
    await share({ name });
    await person.visit('/pushes?locale=ar');
    const { first, cell } = await current()
      .getByText(name)
      .first()
      .evaluate((element: any) => {
        const range = element.ownerDocument.createRange();
        range.setStart(element.firstChild, 0);
        range.setEnd(element.firstChild, 1);
        return {
          first: range.getBoundingClientRect().toJSON(),
          cell: element.closest('th').getBoundingClientRect().toJSON(),
        };
      });

    expect(first.left).toBeGreaterThanOrEqual(cell.left);
    expect(first.right).toBeLessThanOrEqual(cell.right);
    await person.visit('/pushes?locale=en');
  });

  it('shows which state is chosen, also where not all fit beside each other', async () => {
    await share();
    await person.visit('/pushes?state=all');
    const chosen = await current().getByRole('link', { name: 'All 1', exact: true }).boundingBox();

    expect(chosen?.x).toBeGreaterThanOrEqual(0);
    expect((chosen?.x ?? 0) + (chosen?.width ?? 0)).toBeLessThanOrEqual(viewport.width);
  });

  it('keeps the counts of all states while it is searched as somebody types, and says what was found', async () => {
    for (const name of ['tulip', 'red tulip', 'rose']) await share({ name });
    await list();
    await current().getByRole('searchbox').pressSequentially('tulip');
    await current().getByRole('status').getByText('2 found').waitFor();

    const names = current().getByRole('rowheader').getByRole('link');
    expect(await names.allTextContents()).toEqual(['red tulip', 'tulip']);
    for (const state of ['Active 3', 'Ended 0', 'All 3'])
      expect(await current().getByRole('link', { name: state, exact: true }).count()).toBe(1);
    expect(
      await current()
        .getByRole('searchbox')
        .evaluate((field: any) => field === field.ownerDocument.activeElement),
    ).toBe(true);
    expect(current().url()).toContain('search=');
    await current().getByRole('searchbox').fill('wireguard');
    await current().getByRole('heading', { name: 'No secret is called “wireguard”' }).waitFor();
    await current().getByText('Search covers names and notes').waitFor();
    await expectGoodPage();
    await current().getByRole('searchbox').fill('');
    await current().getByRole('link', { name: 'rose' }).waitFor();
    expect(
      await current().getByRole('link', { name: 'Active 3', exact: true }).getAttribute('aria-current'),
    ).toBe('page');
  });

  it('has a menu in each row, one open at a time, and closes it with Escape', async () => {
    for (const name of ['tulip', 'rose']) await share({ name });
    await share({ ...clientEncryptedPush(), name: 'daisy' });
    await list();
    const menu = (name: string) => current().locator(`summary[aria-label="More for ${name}"]`);
    const shorten = current().getByRole('link', { name: 'Shorten…' }).filter({ visible: true });
    await menu('tulip').click();
    expect(await shorten.count()).toBe(1);
    expect(await current().getByRole('button', { name: 'Copy link' }).filter({ visible: true }).count()).toBe(
      1,
    );
    await menu('daisy').click({ force: true });
    expect(await shorten.count()).toBe(1);
    expect(await current().getByRole('button', { name: 'Copy link' }).filter({ visible: true }).count()).toBe(
      0,
    );
    await expectGoodPage();
    await current().keyboard.press('Escape');
    expect(await shorten.count()).toBe(0);

    await menu('tulip').click();
    await shorten.click();
    await current().getByLabel('Views in all').waitFor();
    await current().getByRole('heading', { name: 'tulip' }).waitFor();
  });

  it('has a bar for what is selected that covers no row', async () => {
    for (const name of NAMES) await share({ name });
    await list();
    await current().getByLabel('Select Brightwater: login 12').check();
    const bar = current().getByRole('form', { name: 'Selected' });
    await bar.getByText('1 selected').waitFor();
    await expectGoodPage();
    await current().getByLabel('Select Brightwater: login 1', { exact: true }).check();
    await bar.getByText('2 selected').waitFor();
  });

  it('is empty with a button that leads on, before there is anything', async () => {
    await person.visit('/pushes');
    await current().getByRole('heading', { name: 'Nothing shared yet' }).waitFor();
    expect(await current().locator('main').getByRole('link', { name: 'Share a secret' }).count()).toBe(1);
    await expectGoodPage();
    await person.visit('/requests');
    await current().getByRole('heading', { name: 'Ask for a password or a file' }).waitFor();
    await expectGoodPage();
    await current().locator('main').getByRole('link', { name: 'Ask for a secret' }).click();
    await person.waitForHeading('Ask for a secret');
  });

  it('is the activity by day with who was refused, who can open it, and an export', async () => {
    const [bob, carol] = ['bob@example.org', 'carol@example.com'];
    const urlToken = await share({ name: 'Root password', recipients: [bob, carol], note: 'for\nBob' });
    await askForCode(running.anonymous, urlToken, 'eve@example.net');
    await api.post(`/api/v2/pushes/${urlToken}/notify_emails`, { notify_emails_to: 'bob@example.org' });
    await allSent(running); // with what is recorded instead of a mail
    await openWith(running.anonymous, urlToken, bob, '00000000');
    await person.visit(`/p/${urlToken}/audit`);
    const log = current().getByRole('region', { name: 'Activity' });
    const people = current().getByRole('region', { name: 'Who can open it' });

    await log.getByText('today', { exact: true }).waitFor();
    expect((await log.getByRole('listitem').allInnerTexts()).map((text) => text.split('\n')[0])).toEqual([
      `Wrong code for ${bob}`,
      'You asked for the link to be emailed:',
      `${bob} sent`,
      'Not named: eve@example.net asked for a code',
      'Created',
    ]);
    expect(
      await log.getByRole('listitem').filter({ hasText: 'You asked for the link' }).getByText(bob).count(),
    ).toBe(1);
    expect(await log.getByText('No code was sent').count()).toBe(1);
    expect(await log.getByRole('link', { name: 'Export (CSV)' }).getAttribute('href')).toMatch(/format=csv$/);
    for (const email of [bob, carol])
      expect(await people.getByText(email).evaluate((element: any) => element.getClientRects().length)).toBe(
        1,
      );
    for (const address of ['eve@example.net', bob])
      expect(
        await log
          .getByText(address)
          .first()
          .evaluate((element: any) => element.getClientRects().length),
      ).toBe(1);
    expect(await people.getByText('Has not opened it').count()).toBe(2);
    await expectGoodPage();

    await people.getByRole('button', { name: `Remove ${carol}` }).click();
    await current().getByText(carol).waitFor({ state: 'detached' });
    await current().getByText('Changed by you').waitFor();
  });

  it('are requests that say what is new, whose answers come first, with one primary button', async () => {
    const { url_token } = await ask(api, { name: 'Wi-Fi password', answers: 3 });
    for (let i = 0; i < 2; i++) await respond(running.anonymous, url_token, 'correct horse');
    await person.visit('/requests');
    const row = current().getByRole('row', { name: 'Wi-Fi password' });
    await row.getByText('2 new answers').filter({ visible: true }).waitFor();
    await expectGoodPage();
    await row.locator('summary').click();
    await current().getByRole('link', { name: 'Close this request…' }).click();
    await current().getByRole('button', { name: 'Close now' }).waitFor();

    const answers = current().getByRole('region', { name: 'Answers' });
    expect(await answers.getByText('New', { exact: true }).count()).toBe(2);
    const links = await answers
      .getByRole('link', { name: 'Open' })
      .evaluateAll((all: any[]) =>
        all.map((link) => link.ownerDocument.defaultView.getComputedStyle(link).backgroundColor as string),
      );
    expect(new Set(links).size).toBe(2); // the first one has the colour
    const [first] = await boxes('section[aria-label=Answers]');
    const [link] = await boxes('#link');
    expect(first?.bottom).toBeLessThan(link?.top ?? 0);
    await expectGoodPage();
  });
});

describe('Without scripts', () => {
  const { person, signIn } = startSite({ browser: { viewport: DESK, javaScriptEnabled: false } });

  it('the menu of a row opens, the list is sorted, and a kind is searched with the button', async () => {
    const { client } = await signIn();
    for (const name of ['tulip', 'rose'])
      await client.push({ payload: 'x', name, expire_after_days: name === 'rose' ? 2 : 5 });
    await person.visit('/pushes');
    await person.page.locator('summary[aria-label="More for tulip"]').click();
    expect(await person.page.getByRole('button', { name: 'Delete…' }).filter({ visible: true }).count()).toBe(
      1,
    );
    const names = () => person.page.getByRole('rowheader').getByRole('link').allTextContents();

    await person.page.getByRole('columnheader', { name: 'Expires' }).getByRole('link').click();
    expect(await names()).toEqual(['rose', 'tulip']);
    expect(await person.page.getByRole('columnheader', { name: 'Expires' }).getAttribute('aria-sort')).toBe(
      'ascending',
    );
    await person.page.getByRole('columnheader', { name: 'Expires' }).getByRole('link').click();
    expect(await names()).toEqual(['tulip', 'rose']);
    await person.page.getByLabel('Kind').selectOption('file');
    await person.press('Search');
    await person.page.getByRole('heading', { name: 'No secret matches' }).waitFor();
  });
});
