import type { Language } from '../../src/texts/languages.js';
import { LANGUAGE_CODES } from '../../src/texts/languages.js';
import { Translator } from '../../src/texts/translator.js';
import { axeErrors } from './support/axe.js';
import { tooWide } from './support/look.js';
import { takeScreenshots } from './support/screenshots.js';
import { showAs } from './support/show-as.js';
import { startSite } from './support/site.js';
import { essentialPages } from './tours/essential.js';

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

    it('cannot be chosen where that would lose a link or spend a view', async () => {
      const choice = person.page.locator('.languages');
      const { html_url } = await running.anonymous.push({ payload: 'x', retrieval_step: true });
      await person.visit(html_url);
      expect(await choice.count()).toBe(1);

      await person.press('Öffnen');
      await person.waitForHeading('Hier ist das Geheimnis');

      expect(await choice.count()).toBe(0);
    });
  },
);

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

    await person.page.getByRole('button', { name: 'Kopiert', exact: true }).waitFor();
    expect(await person.page.locator('time').textContent()).toMatch(
      /^\p{L}+, \d+\. \p{L}+( \d{4})? um \d\d:\d\d$/u,
    );
  });
});
