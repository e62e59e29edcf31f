import type { Page } from 'playwright-core';
import { axeErrors } from './axe.js';
import { showAs } from './show-as.js';
import { takeScreenshots } from './screenshots.js';
import { visibilityErrors } from './visibility-errors.js';

/** What only data has, on the pages of the tours: addresses but that of an example, links, tokens, what the tours enter. */
const DATA =
  /[^\s\u200e]@\S+\.\w|https?:\/\/\w|[\w-]{43}|\b\d+\.\d+\.\d+\.\d+\b(?!\/24)|onerror=|correct horse|guest network|Contractors|long-name|xxxxx|\.(?:pdf|ods|svg|txt|bin)\b/;

/** The texts of a page that are data and that a browser would translate. */
export function translatableData(page: Page): Promise<string[]> {
  return page.evaluate(textsIn, DATA.source);
}

/** Runs in the browser, so it uses nothing from outside. */
function textsIn(data: string): string[] {
  const { document, NodeFilter } = globalThis as any;
  const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
  const found: string[] = [];
  while (walker.nextNode()) {
    const { currentNode: node } = walker;
    const isShown = !node.parentElement.closest('script, style, noscript');
    if (isShown && node.parentElement.translate && new RegExp(data).test(node.data))
      found.push(`would be translated: ${node.data.trim().slice(0, 80)}`);
  }
  return found;
}

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
