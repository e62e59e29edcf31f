import type { Page } from 'playwright-core';

const FOLDER = 'screenshots';
const WIDTHS = [360, 1280];
const SCHEMES = ['light', 'dark'] as const;

/** For manual inspection, only when they are asked for: `npm run screenshots`. */
export async function takeScreenshots(page: Page, name: string): Promise<void> {
  if (process.env.SCREENSHOTS === undefined) return;
  for (const colorScheme of SCHEMES) {
    for (const width of WIDTHS) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      await page.screenshot({ path: `${FOLDER}/${name}-${colorScheme}-${width}.png`, fullPage: true });
    }
  }
}
