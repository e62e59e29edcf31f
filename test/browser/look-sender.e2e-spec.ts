import { Push } from '../../src/pushes/push/push.entity.js';
import { Settings } from '../../src/platform/settings/settings.js';
import { MIB } from '../../src/platform/settings/units.js';
import { forAllTests } from '../support/for-tests.js';
import { startMailServer } from '../support/mail-server.js';
import { errorsOf, tooWide } from './support/look.js';
import type { Person } from './support/person.js';
import { startSite } from './support/site.js';

const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };
const SCREENS: [string, typeof DESKTOP][] = [
  ['1280 x 800', DESKTOP],
  ['390 x 844', PHONE],
];

const submitOf = ({ page }: Person) => page.getByRole('button', { name: 'Create link', exact: true });
const bottomOf = async (person: Person) => {
  const { y = Infinity, height = 0 } = (await submitOf(person).boundingBox()) ?? {};
  return y + height;
};
const chip = ({ page }: Person, name: string) => page.getByRole('checkbox', { name, exact: true });
const list = ({ page }: Person, name: string) => page.getByRole('combobox', { name, exact: true });
const passphrase = ({ page }: Person) => page.locator('#passphrase');
/** A generated passphrase is shown as it is filled in. */
const whenFilledIn = ({ page }: Person) => page.locator('#passphrase[type=text]').waitFor();
const focused = ({ page }: Person) => page.evaluate<string>('document.activeElement.id');

describe('The form of a sender', () => {
  const settings: Record<string, string> = { FILES_REQUIRE_AUTHENTICATION: 'false' };
  const server = forAllTests(startMailServer);
  beforeAll(() => {
    Object.assign(settings, server.env, { PUBLIC_URL: 'http://push.example.org' });
  });
  const { running, person, meet, signIn } = startSite({ settings });
  afterEach(() => {
    running.app.get(Settings).END_TO_END = 'default';
  });

  const lastPush = async () => {
    const [push] = await running.dataSource.manager.find(Push, { order: { id: 'DESC' }, take: 1 });
    return push;
  };
  const create = async (sender = person) => {
    await sender.press('Create link');
    await sender.waitForHeading('Your link is ready');
    return lastPush();
  };

  describe.each(SCREENS)('on a screen of %s', (_name, viewport) => {
    it('has its button in view, and the focus in the field for the secret, whose letters all have one width', async () => {
      const sender = await meet({ viewport });
      await sender.visit('/');
      await sender.page.locator('#payload:focus').waitFor();
      await sender.page.keyboard.type('O0l1I|');

      expect(await bottomOf(sender)).toBeLessThanOrEqual(viewport.height);
      expect(await sender.page.evaluate(FONT_OF_SECRET)).toMatch(/^"?Geist Mono/);
      expect(await sender.page.evaluate(FOLDED)).toEqual(['encryption', 'encryption']);
    });

    it('takes six clicks for a passphrase, one view and one hour, and no scrolling', async () => {
      const sender = await meet({ viewport });
      await sender.visit('/');
      await sender.page.keyboard.type('correct horse');
      await list(sender, 'Views').selectOption('1 view'); // two clicks
      await list(sender, 'Expires after').selectOption('1 hour'); // two clicks
      await chip(sender, 'Passphrase').click();
      await whenFilledIn(sender);
      expect(await bottomOf(sender)).toBeLessThanOrEqual(viewport.height);
      expect(await sender.page.evaluate('scrollY')).toBe(0);

      expect(await create(sender)).toMatchObject({ expireAfterViews: 1 });
    });

    it('keeps its button in view at any position, and over no field that has the focus', async () => {
      const sender = await meet({ viewport });
      await sender.visit('/');
      await sender.fill({ 'Only these people': 'ada@example.org' });
      await chip(sender, 'Passphrase').press('Space');
      await chip(sender, 'More').press('Space');
      await list(sender, 'Views').selectOption('Other…');
      const { page } = sender;
      const height = await page.evaluate<number>(
        'document.querySelector("form#make").getBoundingClientRect().bottom',
      );
      for (let y = 0; y < height - viewport.height; y += 200) {
        await page.evaluate(`scrollTo(0, ${y})`);
        expect(await bottomOf(sender)).toBeLessThanOrEqual(viewport.height + 0.5);
      }
      await page.evaluate('scrollTo(0, 0)');
      const covered: string[] = [];
      await page.locator('#payload').focus();
      while (!(await page.evaluate<boolean>('document.activeElement.matches("[data-submit]")'))) {
        covered.push(...(await page.evaluate<string[]>(COVERED)));
        await page.keyboard.press('Tab');
      }
      expect(covered).toEqual([]);
    });

    it('has no fault that a program finds, with all options on and wrong', async () => {
      const sender = await meet({ viewport });
      await sender.visit('/');
      for (const name of ['Passphrase', 'Only these people', 'Recipients can delete it', 'More'])
        await chip(sender, name).press('Space');
      for (const name of ['Views', 'Expires after']) await list(sender, name).selectOption('Other…');
      await sender.fill({ 'Number of views': '1000', 'Hours left after the first opening': '0' });
      expect(await errorsOf(sender.page, 'options')).toEqual([]);
      await sender.page.setViewportSize(viewport);
      await sender.press('Create link');
      await sender.page.locator('#passphrase-error').waitFor();
      expect(await errorsOf(sender.page, 'options-wrong')).toEqual([]);
    });
  });

  it('fills in a passphrase when its option is switched on by a click, and typing replaces it', async () => {
    await person.visit('/');
    await chip(person, 'Passphrase').click();
    await whenFilledIn(person);
    expect(await passphrase(person).getAttribute('type')).toBe('text');
    expect(await passphrase(person).inputValue()).toMatch(/^[a-z]+(-[a-z-]+){4,}$/);
    await person.page.keyboard.type('sesame');

    expect(await passphrase(person).inputValue()).toBe('sesame');
  });

  it('leaves the focus where it is when an option is switched on by a key', async () => {
    await person.visit('/');
    await chip(person, 'Passphrase').press('Space');

    expect(await focused(person)).toBe('with-passphrase');
    expect(await passphrase(person).inputValue()).toBe('');
    expect(await passphrase(person).isVisible()).toBe(true);
  });

  describe.each([true, false])('with scripts: %s', (javaScriptEnabled) => {
    it('does not use what was typed into an option that is off again, and keeps it', async () => {
      running.app.get(Settings).END_TO_END = 'off';
      const sender = await meet({ javaScriptEnabled });
      await signIn(sender);
      await sender.visit('/');
      await sender.page.locator('#payload').fill('correct horse');
      await sender.fill({
        Passphrase: 'sesame',
        'Only these people': 'ada@example.org',
        Name: 'Zoë',
        'Note for yourself': 'tulip',
        'Hours left after the first opening': '3',
      });
      for (const name of ['Passphrase', 'Only these people', 'Name', 'More'])
        await chip(sender, name).press('Space');
      expect(await passphrase(sender).inputValue()).toBe('sesame');

      expect(await create(sender)).toMatchObject({
        ...{ passphraseSalt: null, recipients: null, name: null, note: null, expireAfterFirstView: null },
        retrievalStep: true,
      });
    });

    it('creates nothing while an option is on without a passphrase, or without people', async () => {
      const sender = await meet({ javaScriptEnabled });
      const before = await running.dataSource.manager.count(Push);
      for (const [name, id] of [
        ['Passphrase', 'passphrase'],
        ['Only these people', 'recipients'],
      ] as const) {
        await sender.visit('/');
        await sender.page.locator('#payload').fill('correct horse');
        await chip(sender, name).press('Space');
        await sender.press('Create link');
        await sender.page.locator(`#${id}-error`).getByText('Fill in this field.').waitFor();
        expect(await chip(sender, name).getAttribute('aria-invalid')).toBe('true');
      }
      expect(await running.dataSource.manager.count(Push)).toBe(before);
    });
  });

  it('says that naming people mails nobody', async () => {
    await person.visit('/');
    await chip(person, 'Only these people').press('Space');

    expect(await person.page.locator('#recipients-hint').innerText()).toContain(
      'Nobody is told about it now',
    );
  });

  it('says what is wrong with the secret directly below it', async () => {
    await person.visit('/');
    await person.press('Generate password');
    await person.page.getByText('Generator options').first().waitFor();
    await person.page.locator('#payload').fill('');
    await person.press('Create link');
    const top = async (text: string) => (await person.page.getByText(text).first().boundingBox())?.y ?? NaN;

    expect(await top('Fill in this field.')).toBeLessThan(await top('Generator options'));
  });

  it('keeps the mistake of an option in view, and takes it back once it is corrected', async () => {
    await person.visit('/');
    await person.fill({ Secret: 'correct horse', 'Hours left after the first opening': '3' });
    await person.page.locator('#expire_after_first_view').fill('0');
    await person.press('Create link');
    await person.page.locator('#expire_after_first_view-error').waitFor();
    expect(await chip(person, 'More').getAttribute('aria-invalid')).toBe('true');
    expect(await focused(person)).toBe('expire_after_first_view');
    await person.page.locator('#expire_after_first_view').fill('3');

    expect(await chip(person, 'More').getAttribute('aria-invalid')).toBeNull();
  });

  describe('with files', () => {
    const FILES = [
      { name: `${'Contract Müller & Sons, signed '.repeat(4)}.pdf`, size: 2.1 * MIB },
      { name: 'Passport scan.jpg', size: 0.8 * MIB },
      { name: 'database-export-2026-11-28.sql.gz', size: 3 * MIB },
    ].map(({ name, size }) => ({ name, mimeType: 'x/y', buffer: Buffer.alloc(size) }));

    it('lists three on a phone without sideways scroll, with names that end in dots and large buttons', async () => {
      const sender = await meet({ viewport: PHONE });
      await sender.visit('/');
      await sender.page.getByRole('radio', { name: 'Files' }).check();
      await sender.page.locator('#files').setInputFiles(FILES);
      const remove = sender.page.getByRole('button', { name: /^Remove / });
      await remove.nth(2).waitFor();

      expect(await tooWide(sender.page)).toEqual([]);
      expect(await sender.page.evaluate(CUT_NAMES)).toContain('ellipsis');
      const { width = 0, height = 0 } = (await remove.first().boundingBox()) ?? {};
      expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
      expect(await sender.page.locator('#files-hint').innerText()).toMatch(/^3 files, 5\.9\sM/);
      expect(await sender.page.getByText('Add files').isVisible()).toBe(true);
      expect(await bottomOf(sender)).toBeLessThanOrEqual(PHONE.height);
    });

    it('shows its progress in place of the button, and Cancel removes it for good', async () => {
      await person.page.route('**/', (route) =>
        route.request().method() === 'POST' ? undefined : route.continue(),
      );
      await person.visit('/');
      await person.page.getByRole('radio', { name: 'Files' }).check();
      await person.page.locator('#files').setInputFiles(FILES.slice(1));
      await person.press('Create link');
      const cancel = person.page.getByRole('button', { name: 'Cancel' });
      await cancel.waitFor();
      expect(await submitOf(person).isVisible()).toBe(false);
      await cancel.click();
      await person.page.getByRole('alert').getByText('Cancelled').waitFor();

      expect(await cancel.isVisible()).toBe(false);
      expect(await submitOf(person).isVisible()).toBe(true);
      await person.page.unrouteAll({ behavior: 'ignoreErrors' });
    });
  });

  it('asks for a secret with the same sentence, chips and bar', async () => {
    await signIn();
    for (const [, viewport] of SCREENS) {
      await person.page.setViewportSize(viewport);
      await person.visit('/requests/new');
      await person.page.locator('#request:focus').waitFor();
      expect(await bottomOf(person)).toBeLessThanOrEqual(viewport.height);
      for (const name of ['Passphrase', 'Email the link', 'Name', 'More'])
        await chip(person, name).press('Space');
      expect(await errorsOf(person.page, 'request')).toEqual([]);
    }
  });
});

const FONT_OF_SECRET = 'getComputedStyle(document.querySelector("#payload")).fontFamily';

/** The names of the fields that are in a fold. */
const FOLDED = `[...document.querySelectorAll('form#make :is(input:not([type=hidden]), select, textarea)')]
  .filter((control) => control.closest('details:not([open], [hidden])'))
  .map(({ name }) => name)`;

/** How the names of files end that are wider than their place. */
const CUT_NAMES = `[...document.querySelectorAll('[data-chosen] [translate=no]')]
  .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
  .map((name) => getComputedStyle(name).textOverflow)`;

/** What the bar covers of the control that has the focus. */
const COVERED = `(() => {
  const control = document.activeElement;
  const bar = document.querySelector('[data-submit]').parentElement;
  if (bar.contains(control)) return [];
  const target = control.matches('[type=checkbox], [type=radio]') ? control.closest('label') ?? control : control;
  return target.getBoundingClientRect().bottom > bar.getBoundingClientRect().top + 0.5 ? [control.id || control.name] : [];
})()`;
