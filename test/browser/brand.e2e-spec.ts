import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser } from 'playwright-core';
import type { RunningApp } from '../support/start-app.js';
import { startApp } from '../support/start-app.js';
import { launch, Person } from './support/browser.js';
import { visibilityErrors } from './support/visibility-errors.js';

/** Would change the title of a document in which it ran, and the one that shows it. */
const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 32" onload="top.document.title='ran'">
  <script>top.document.title = 'ran'; fetch('/ran')</script>
  <style>rect { fill: #8a1538 }</style>
  <rect width="120" height="32" rx="4"/><image href="/ran" width="9" height="9"/>
</svg>`;
const FOLDER = 'screenshots';

describe('The brand of the operator in a browser', () => {
  let folder: string;
  let running: RunningApp;
  let browser: Browser;
  let person: Person;

  beforeAll(async () => {
    await mkdir(FOLDER, { recursive: true });
    folder = await mkdtemp(join(tmpdir(), 'sealpush-brand-'));
    await writeFile(join(folder, 'logo.svg'), LOGO);
    running = await startApp({
      OPERATOR_NAME: 'Gemeinde Oberammergau-Unterammergau, Informationstechnik',
      OPERATOR_CONTACT: 'it@example.org',
      FOOTER_TEXT: 'For employees and their partners. '.repeat(5).trim(),
      BRAND_LOGO_FILE: join(folder, 'logo.svg'),
      BRAND_COLOR: '#8a1538',
    });
    browser = await launch();
  });
  beforeEach(async () => {
    person = await Person.open(browser, running.url, { reducedMotion: 'reduce' });
  });
  afterEach(async () => {
    await person.context.close();
  });
  afterAll(async () => {
    await browser.close();
    await running.stop();
    await rm(folder, { recursive: true });
  });

  it('has a logo whose script never runs, on a page or opened by itself (E3)', async () => {
    const answered: string[] = []; // a request that the policy forbids gets no response
    person.page.on('response', (response) => answered.push(new URL(response.url()).pathname));
    await person.visit('/');
    const source = (await person.page.locator('.brand img').getAttribute('src')) ?? '';
    expect(
      await person.page.locator('.brand img').evaluate((image: any) => image.naturalWidth),
    ).toBeGreaterThan(0);
    expect(await person.page.title()).not.toBe('ran');

    await person.visit(source);
    await person.page.waitForLoadState('networkidle');
    expect(await person.page.title()).not.toBe('ran');
    expect(answered).toContain(source);
    expect(answered).not.toContain('/ran');
  });

  it('is accessible and fits, light and dark, narrow and wide', async () => {
    const { html_url } = await running.anonymous.push({ payload: 'x', retrieval_step: true });
    const errors: string[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [360, 1280]) {
        for (const [name, address] of [
          ['home', '/'],
          ['open', html_url],
          ['sign-in', '/users/sign_in'],
        ] as const) {
          await person.page.emulateMedia({ colorScheme });
          await person.page.setViewportSize({ width, height: 800 });
          await person.visit(address);
          const look = `brand-${name}-${colorScheme}-${width}`;
          await person.page.screenshot({ path: `${FOLDER}/${look}.png`, fullPage: true });
          const { violations } = await new AxeBuilder({ page: person.page }).setLegacyMode().analyze();
          errors.push(...violations.map(({ id, nodes }) => `${look}: ${id} at ${nodes[0]?.html}`));
          errors.push(...(await visibilityErrors(person.page)).map((error) => `${look}: ${error}`));
          if (await person.page.evaluate('document.documentElement.scrollWidth > innerWidth'))
            errors.push(`${look}: scrolls horizontally`);
        }
      }
    }

    expect([...errors, ...person.errors]).toEqual([]);
  });
});
