import type { Language } from '../../src/texts/languages.js';
import { LANGUAGE_CODES } from '../../src/texts/languages.js';
import { Translator } from '../../src/texts/translator.js';
import { axeErrors } from './support/axe.js';
import { tooWide } from './support/look.js';
import { takeScreenshots } from './support/screenshots.js';
import { showAs } from './support/show-as.js';
import { startSite } from './support/site.js';
import { newSignedInUser, PASSWORD } from '../support/page-client.js';
import type { Tour } from './support/tour.js';

/** The twelve states that most people see: of a sender, a recipient, somebody who is asked for a secret, and an owner. */
async function essentialPages(tour: Tour): Promise<void> {
  await ofSender(tour);
  await ofRecipient(tour);
  await ofOwner(tour);
}

async function ofSender({ person, t, look }: Tour): Promise<void> {
  const { page } = person;
  await person.visit('/');
  await look('home');
  await page.evaluate("for (const fold of document.querySelectorAll('form#make details')) fold.open = true");
  await look('home-options');
  await page.locator('#payload').fill('correct horse');
  await person.press(t.text('home.submit'));
  await person.waitForHeading(t.text('created.title'));
  await look('created');
}

async function ofRecipient({ person, running, t, look }: Tour): Promise<void> {
  const { page } = person;
  const { html_url, url_token } = await running.anonymous.push({
    payload: 'correct horse',
    passphrase: 'sesame',
  });
  await person.visit(html_url);
  await person.fill({ [t.text('open.passphrase')]: 'wrong' });
  await person.press(t.text('open.submit'));
  await page.locator('#open-error:not(:empty)').waitFor();
  await look('open');
  await person.fill({ [t.text('open.passphrase')]: 'sesame' });
  await person.press(t.text('open.submit'));
  await person.waitForHeading(t.text('secret.title'));
  await look('secret');
  await running.anonymous.delete(`/api/v2/pushes/${url_token}`);
  await person.visit(`/p/${'x'.repeat(43)}`);
  await look('gone');
}

async function ofOwner({ person, running, t, look }: Tour): Promise<void> {
  const { email, pageClient } = await newSignedInUser(running);
  await person.visit('/users/sign_in');
  await look('sign-in');
  await person.fill({ [t.text('signIn.email')]: email, [t.text('signIn.password')]: PASSWORD });
  await person.press(t.text('signIn.submit'));
  await person.waitForHeading(t.text('list.title'));
  const created = await pageClient.post('/', {
    'push[kind]': 'text',
    'push[payload]': 'x',
    'push[name]': 'A',
  });
  await person.visit('/pushes');
  await look('list');
  const [link = ''] = /\/p\/[\w-]{43}/.exec(created.body) ?? [];
  await person.visit(`${link}/audit`);
  await look('activity');
  await person.visit('/users/edit');
  await look('account');
  await person.visit('/requests/new');
  await look('new-request');
  await person.visit('/how-it-works');
  await look('how-it-works');
}

/** From right to left, and in another script. */
const WITH_AXE: Language[] = ['ar', 'ja'];

describe.each(LANGUAGE_CODES)('In %s, on a phone', (language) => {
  const site = startSite({ browser: { reducedMotion: 'reduce', locale: language } });

  it('the pages that most people see fit, and are accessible', async () => {
    const { page } = site.person;
    const errors: string[] = [];
    const look = async (name: string) => {
      await takeScreenshots(page, `${name}-${language}`);
      await showAs(page, 'light', 360);
      const found = [...(await tooWide(page)), ...(WITH_AXE.includes(language) ? await axeErrors(page) : [])];
      errors.push(...found.map((error) => `${name}: ${error}`));
    };

    await essentialPages({ ...site, t: new Translator(language), look });

    expect(errors).toEqual([]);
    expect(await page.locator('html').getAttribute('dir')).toBe(language === 'ar' ? 'rtl' : 'ltr');
  });
});

describe.each([{ javaScriptEnabled: true }, { javaScriptEnabled: false }])(
  'The language of the pages with $javaScriptEnabled for scripts',
  ({ javaScriptEnabled }) => {
    const { running, person } = startSite({ browser: { javaScriptEnabled, locale: 'de-AT' } });

    it('is that of the browser, until another is chosen in the footer', async () => {
      await person.visit('/users/sign_in?next=%2Fusers%2Ftoken');
      expect(await person.heading()).toBe('Anmelden');

      await person.chooseLanguage('English');
      await person.waitForHeading('Sign in');

      expect(person.page.url()).toBe(`${running.url}/users/sign_in?next=%2Fusers%2Ftoken`);
      await person.visit('/');
      expect(await person.heading()).toBe('Share a secret');
    });

    it('can be chosen where a link has ended', async () => {
      const { client } = await running.newUser();
      const { html_url, url_token } = await client.push({ payload: 'x' });
      await client.delete(`/api/v2/pushes/${url_token}`);
      await person.visit(html_url);
      await person.waitForHeading('Dieses Geheimnis gibt es nicht mehr');
      await person.chooseLanguage('English');
      await person.waitForHeading('This secret is gone');
      expect(person.page.url()).toBe(`${running.url}/p/${url_token}`);
    });

    it('cannot be chosen where that would spend a view', async () => {
      const choice = person.page.locator('footer details');
      const { html_url } = await running.anonymous.push({ payload: 'x', retrieval_step: true });
      await person.visit(html_url);
      expect(await choice.count()).toBe(1);

      await person.press('Öffnen');
      await person.waitForHeading('Hier ist das Geheimnis');

      expect(await choice.count()).toBe(0);
    });
  },
);

describe('The language of the page of a new link', () => {
  const { person } = startSite({ browser: { locale: 'de-DE' }, expected: /^Failed to load resource/ });

  it('changes in place: the link, the passphrase and the delete link stay, and nothing is asked', async () => {
    const { page } = person;
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.message());
      void dialog.accept();
    });
    await person.visit('/');
    await person.fill({ Geheimnis: 'correct horse', Passphrase: 'sesame' });
    await person.press('Link erstellen');
    await person.waitForHeading('Ihr Link ist fertig');
    const link = page.locator('#link');
    const before = await link.inputValue();
    expect(before).toMatch(/#2[\w-]{43}$/);
    const address = page.url();

    await person.chooseLanguage('English');
    await person.waitForHeading('Your link is ready');
    await link.waitFor();
    expect(await link.inputValue()).toBe(before);
    expect(await page.locator('#passphrase').inputValue()).toBe('sesame');
    expect(await page.locator('[data-delete-link] input').first().inputValue()).toMatch(/#[\w-]{43}$/);
    expect(page.url()).toBe(address);
    expect(asked).toEqual([]);

    await person.context.setOffline(true);
    await person.chooseLanguage('Deutsch');
    await page.getByText('You are offline.').waitFor();
    expect(await link.inputValue()).toBe(before);
    await person.context.setOffline(false);
  });
});

describe('The texts of browser scripts', () => {
  const { person } = startSite({
    browser: { locale: 'de-DE', permissions: ['clipboard-read', 'clipboard-write'] },
  });

  it('are in the language of the page', async () => {
    await person.visit('/');
    await person.page.getByRole('radio', { name: 'Link' }).check();
    await person.page.getByRole('textbox', { name: 'Webadresse' }).fill('https://example.org');
    await person.press('Link erstellen');
    await person.waitForHeading('Ihr Link ist fertig');

    await person.press('Link kopieren');

    await person.page.getByRole('status').getByText('Kopiert', { exact: true }).waitFor();
    expect(await person.page.locator('time').textContent()).toMatch(
      /^\p{L}+, \d+\. \p{L}+( \d{4})? um \d\d:\d\d$/u,
    );
  });
});
