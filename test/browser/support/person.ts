import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import type { Language } from '../../../src/texts/languages.js';
import { Translator } from '../../../src/texts/translator.js';

/** A user with a separate browser context, and the errors that occurred in it. */
export class Person {
  readonly errors: string[] = [];
  context!: BrowserContext;
  page!: Page;
  private url = '';

  /** Begins with an empty browser, as somebody who has never been here. */
  async enter(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<void> {
    this.errors.length = 0;
    this.url = url;
    this.context = await browser.newContext(options);
    this.page = await this.context.newPage();
    this.page.on('pageerror', (error) => this.errors.push(error.message));
    this.page.on('console', (message) => {
      // the browser logs a rejected form as an error, which is not an error of the page
      const isRefusal = /the server responded with a status of 4\d\d/.test(message.text());
      if (message.type() === 'error' && !isRefusal) this.errors.push(message.text());
    });
    this.page.on('request', (request) => {
      if (!request.url().startsWith(url)) this.errors.push(`requests another site: ${request.url()}`);
    });
  }

  async visit(pathOrUrl: string): Promise<void> {
    await this.page.goto(pathOrUrl.startsWith('http') ? pathOrUrl : this.url + pathOrUrl);
  }

  /** Visits a link whose page opens by itself once it sees that a person is there. */
  async openLink(pathOrUrl: string): Promise<void> {
    await this.visit(pathOrUrl);
    await this.movePointer();
  }

  /** Over nothing that changes because of it. */
  async movePointer(): Promise<void> {
    await this.page.mouse.move(1, 1);
    await this.page.mouse.move(2, 2);
  }

  async fill(fields: Record<string, string>): Promise<void> {
    for (const [label, text] of Object.entries(fields))
      await (await this.unfolded(this.field(label))).fill(text);
  }

  /** Not the chip of an option, which may have the same name as its field. */
  private field(label: string): Locator {
    return this.page.getByLabel(label, { exact: true }).and(this.page.locator(':not([type=checkbox])'));
  }

  /** Chooses an option in a list of them. */
  async choose(list: string, option: string): Promise<void> {
    await this.page.getByLabel(list, { exact: true }).selectOption({ label: option });
  }

  /** The checkbox with this label, or the radio button, wherever it is in the page. */
  async box(label: string): Promise<Locator> {
    return this.unfolded(this.page.getByLabel(label, { exact: true }));
  }

  /** A control, after opening what it is behind, and with the option switched on that it belongs to. */
  async unfolded(control: Locator): Promise<Locator> {
    const closed = this.page.locator('details:not([open])', { has: control });
    while ((await closed.count()) > 0) await closed.first().locator('> summary').click();
    const panel = this.page.locator('[data-panel]', { has: control });
    if ((await panel.count()) > 0) {
      const chip = this.page.locator(`[aria-controls="${await panel.getAttribute('id')}"]`);
      if (!(await chip.isChecked())) await chip.press('Space'); // a click would fill in a passphrase
    }
    return control;
  }

  async press(name: string): Promise<void> {
    await this.page.getByRole('button', { name, exact: true }).click();
  }

  /** Opens the menu of the account. */
  async openMenu(): Promise<void> {
    await this.page.locator('header details > summary').filter({ visible: true }).first().click();
  }

  async signOut(name = 'Sign out'): Promise<void> {
    await this.openMenu();
    await this.press(name);
  }

  /** Sends the form that makes a link, and returns the link. */
  async createLink(): Promise<string> {
    await this.press('Create link');
    await this.waitForHeading('Your link is ready');
    return this.page.locator('#link').inputValue();
  }

  /** Opens the secret whose page, or link, this is. */
  async showSecret(link?: string): Promise<void> {
    if (link !== undefined) await this.visit(link);
    await this.press('Open');
    await this.page.getByRole('heading', { level: 1, name: /^Here (?:is|are) the / }).waitFor();
  }

  /** Chooses the language at the end of the page, by its own name. */
  async chooseLanguage(name: string): Promise<void> {
    await this.page.locator('footer details > summary').click();
    await this.press(name);
  }

  async heading(): Promise<string> {
    return (await this.page.locator('h1:visible').textContent()) ?? '';
  }

  async waitForHeading(text: string): Promise<void> {
    await this.page.getByRole('heading', { level: 1, name: text, exact: true }).waitFor();
  }

  async signUpAndIn(email: string, password: string, language: Language = 'en'): Promise<void> {
    const t = new Translator(language);
    const fields = { [t.text('signIn.email')]: email, [t.text('signIn.password')]: password };
    await this.visit('/users/sign_up');
    await this.fill(fields);
    const repeat = this.page.getByLabel(t.text('password.repeat'), { exact: true });
    if (await repeat.isVisible()) await repeat.fill(password); // without scripts
    await this.press(t.text('signUp.submit'));
    await this.fill(fields);
    await this.press(t.text('signIn.submit'));
    await this.waitForHeading(t.text('list.title'));
  }
}
