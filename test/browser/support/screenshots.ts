import type { Page } from 'playwright-core';
import { showAs } from './show-as.js';

const FOLDER = 'screenshots';
const WIDTHS = [360, 1280];
const SCHEMES = ['light', 'dark'] as const;

/** For manual inspection, only when they are asked for: `npm run screenshots`. */
export async function takeScreenshots(page: Page, name: string): Promise<void> {
  if (process.env.SCREENSHOTS === undefined) return;
  for (const colorScheme of SCHEMES) {
    for (const width of WIDTHS) {
      await showAs(page, colorScheme, width);
      await page.screenshot({ path: `${FOLDER}/${name}-${colorScheme}-${width}.png`, fullPage: true });
    }
  }
}
