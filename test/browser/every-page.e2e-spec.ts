import { mkdir } from 'node:fs/promises';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser } from 'playwright-core';
import type { RunningApp } from '../support/start-app.js';
import { startApp } from '../support/start-app.js';
import { launch, Person } from './support/browser.js';
import { everyPage } from './support/every-page.js';

const FOLDER = 'screenshots';

describe.each([
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'light', width: 360 },
  { colorScheme: 'dark', width: 1280 },
  { colorScheme: 'dark', width: 360 },
] as const)('Every page, $colorScheme and $width wide', ({ colorScheme, width }) => {
  let running: RunningApp;
  let browser: Browser;

  beforeAll(async () => {
    await mkdir(FOLDER, { recursive: true });
    running = await startApp();
    browser = await launch();
  });
  afterAll(async () => {
    await browser.close();
    await running.stop();
  });

  it('is accessible, fits, and complains of nothing', async () => {
    const person = await Person.meet(browser, running.url, {
      colorScheme,
      viewport: { width, height: 800 },
      reducedMotion: 'reduce',
    });
    const faults: string[] = [];

    await everyPage(person, running, async (name) => {
      await person.page.screenshot({ path: `${FOLDER}/${name}-${colorScheme}-${width}.png`, fullPage: true });
      const { violations } = await new AxeBuilder({ page: person.page }).analyze();
      for (const { id, nodes } of violations) {
        faults.push(`${name}: ${id} at ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
      }
      const isTooWide = await person.page.evaluate('document.documentElement.scrollWidth > innerWidth');
      if (isTooWide) faults.push(`${name}: scrolls sideways`);
    });

    expect([...faults, ...person.complaints]).toEqual([]);
  }, 240_000);
});
