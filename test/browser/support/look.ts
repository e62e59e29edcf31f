import type { Page } from 'playwright-core';
import { axeErrors } from './axe.js';
import { showAs } from './show-as.js';
import { takeScreenshots } from './screenshots.js';
import { translatableData } from './translatable-data.js';
import { visibilityErrors } from './visibility-errors.js';

interface Look {
  colorScheme: 'light' | 'dark';
  width: number;
}

/** Each scheme and each width once: colours do not depend on the width. */
const LOOKS: readonly Look[] = [
  { colorScheme: 'light', width: 360 },
  { colorScheme: 'dark', width: 1280 },
];

/** What is wrong with a page as it is now. */
export async function errorsOf(page: Page, name: string): Promise<string[]> {
  await page.waitForLoadState(); // a heading can be found before the stylesheet has arrived
  await takeScreenshots(page, name);
  const errors = (await translatableData(page)).map((error) => `${name}: ${error}`);
  for (const look of LOOKS) {
    await showAs(page, look.colorScheme, look.width);
    const found = [await tooWide(page), await axeErrors(page), await visibilityErrors(page)].flat();
    errors.push(...found.map((error) => `${name}, ${look.colorScheme}, ${look.width} px: ${error}`));
  }
  await page.emulateMedia({ forcedColors: 'active' });
  errors.push(...(await visibilityErrors(page)).map((error) => `${name}, in forced colours: ${error}`));
  await page.emulateMedia({ forcedColors: 'none' });
  return errors;
}

export async function tooWide(page: Page): Promise<string[]> {
  const isTooWide = await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth');
  return isTooWide ? ['scrolls horizontally'] : [];
}
