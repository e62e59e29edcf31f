import { mkdir } from 'node:fs/promises';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { LANGUAGE_CODES } from '../../src/web/texts/languages.js';
import type { RunningApp } from '../support/start-app.js';
import { startApp } from '../support/start-app.js';
import { launch, Person } from './support/browser.js';
import { everyPage } from './support/every-page.js';
import { visibilityErrors } from './support/visibility-errors.js';

/** The screenshots are kept here, for manual inspection. */
const FOLDER = 'screenshots';

const LOOKS = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [360, 1280].map((width) => ({ colorScheme, width })),
);

describe('Every page', () => {
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

  it.each(LANGUAGE_CODES)(
    'is accessible, fits, requests nothing from other sites and logs no errors, light and dark, narrow and wide, in %s',
    async (language) => {
      const options = { reducedMotion: 'reduce', locale: language } as const;
      const person = await Person.open(browser, running.url, options);
      const errors: string[] = [];

      await everyPage(person, running, language, async (name) => {
        for (const { colorScheme, width } of LOOKS) {
          await person.page.emulateMedia({ colorScheme });
          await person.page.setViewportSize({ width, height: 800 });
          const look = `${name}-${language}-${colorScheme}-${width}`;
          await person.page.screenshot({ path: `${FOLDER}/${look}.png`, fullPage: true });
          for (const error of await errorsOf(person.page)) errors.push(`${look}: ${error}`);
        }
      });

      expect([...errors, ...person.errors]).toEqual([]);
    },
    600_000,
  );
});

async function errorsOf(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze(); // the pages have no frames
  const isTooWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
  return [
    ...violations.map(
      ({ id, nodes }) => `${id} at ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
    ),
    ...(isTooWide ? ['scrolls horizontally'] : []),
    ...(await visibilityErrors(page)),
  ];
}
