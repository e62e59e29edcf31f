import type { Page } from 'playwright-core';
import { axeFaults } from './axe.js';
import { showAs } from './show-as.js';
import { takeScreenshots } from './screenshots.js';
import { visibleFaults } from './visible-faults.js';

/** Each scheme and each width once: colours do not depend on the width. */
export const LOOKS = [
  { colorScheme: 'light', width: 360 },
  { colorScheme: 'dark', width: 1280 },
] as const;

/** What is wrong with a page as it is now, light and dark, narrow and wide. */
export async function faultsOf(page: Page, name: string): Promise<string[]> {
  await takeScreenshots(page, name);
  const faults: string[] = [];
  for (const { colorScheme, width } of LOOKS) {
    await showAs(page, colorScheme, width);
    const found = [...(await axeFaults(page)), ...(await tooWide(page)), ...(await visibleFaults(page))];
    faults.push(...found.map((fault) => `${name}, ${colorScheme}, ${width} px: ${fault}`));
  }
  return faults;
}

async function tooWide(page: Page): Promise<string[]> {
  const isTooWide = await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth');
  return isTooWide ? ['scrolls horizontally'] : [];
}
