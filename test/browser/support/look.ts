import type { Page } from 'playwright-core';
import { axeErrors } from './axe.js';
import { showAs } from './show-as.js';
import { takeScreenshots } from './screenshots.js';
import { visibilityErrors } from './visibility-errors.js';

/** Each scheme and each width once: colours do not depend on the width. */
export const LOOKS = [
  { colorScheme: 'light', width: 360 },
  { colorScheme: 'dark', width: 1280 },
] as const;

/** What is wrong with a page as it is now, light and dark, narrow and wide. */
export async function errorsOf(page: Page, name: string): Promise<string[]> {
  await takeScreenshots(page, name);
  const errors: string[] = [];
  for (const { colorScheme, width } of LOOKS) {
    await showAs(page, colorScheme, width);
    const found = [...(await axeErrors(page)), ...(await tooWide(page)), ...(await visibilityErrors(page))];
    errors.push(...found.map((error) => `${name}, ${colorScheme}, ${width} px: ${error}`));
  }
  return errors;
}

async function tooWide(page: Page): Promise<string[]> {
  const isTooWide = await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth');
  return isTooWide ? ['scrolls horizontally'] : [];
}
