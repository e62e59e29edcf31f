import type { Browser } from 'playwright-core';
import type { RunningApp } from '../support/start-app.js';
import { startApp } from '../support/start-app.js';
import { launch, Person } from './support/browser.js';

describe.each([{ javaScriptEnabled: true }, { javaScriptEnabled: false }])(
  'The language of the pages with $javaScriptEnabled for scripts',
  ({ javaScriptEnabled }) => {
    let running: RunningApp;
    let browser: Browser;
    let person: Person;

    beforeAll(async () => {
      running = await startApp();
      browser = await launch();
    });
    beforeEach(async () => {
      person = await Person.open(browser, running.url, { javaScriptEnabled, locale: 'de-AT' });
    });
    afterEach(async () => {
      expect(person.errors).toEqual([]);
      await person.context.close();
    });
    afterAll(async () => {
      await browser.close();
      await running.stop();
    });

    it('is that of the browser, until another is chosen in the footer', async () => {
      await person.visit('/users/sign_in?next=%2Fusers%2Ftoken');
      expect(await person.heading()).toBe('Anmelden');

      await person.press('English');
      await person.waitForHeading('Sign in');

      expect(person.page.url()).toBe(`${running.url}/users/sign_in?next=%2Fusers%2Ftoken`);
      await person.visit('/');
      expect(await person.heading()).toBe('Share a secret');
    });

    it('cannot be chosen where that would lose a link or spend a view', async () => {
      const choice = person.page.getByRole('button', { name: 'English' });
      const { html_url } = await running.anonymous.push({ payload: 'x', retrieval_step: true });
      await person.visit(html_url);
      expect(await choice.count()).toBe(1);

      await person.press('Geheimnis öffnen');
      await person.waitForHeading('Geteiltes Geheimnis');

      expect(await choice.count()).toBe(0);
    });
  },
);

describe('The texts of browser scripts', () => {
  let running: RunningApp;
  let browser: Browser;

  beforeAll(async () => {
    running = await startApp();
    browser = await launch();
  });
  afterAll(async () => {
    await browser.close();
    await running.stop();
  });

  it('are in the language of the page', async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const person = await Person.open(browser, running.url, { locale: 'de-DE', permissions });
    await person.visit('/');
    await person.page.getByRole('radio', { name: 'Webadresse' }).check();
    await person.page.getByRole('textbox', { name: 'Webadresse' }).fill('https://example.org');
    await person.press('Link erstellen');
    await person.waitForHeading('Ihr Link ist fertig');

    await person.press('Link kopieren');

    await person.page.getByRole('button', { name: 'Kopiert', exact: true }).waitFor();
    expect(await person.page.locator('time').textContent()).toMatch(/^\d\d\.\d\d\.\d{4}, \d\d:\d\d$/);
    expect(person.errors).toEqual([]);
  });
});
