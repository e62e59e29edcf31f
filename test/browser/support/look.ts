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

const PHONE_PX = 390;
const NARROWEST_PX = 320;

/** Each scheme and each width once: colours do not depend on the width. */
const LOOKS: readonly Look[] = [
  { colorScheme: 'light', width: PHONE_PX },
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
    if (look.width === PHONE_PX) found.push(...(await smallTargets(page)));
    errors.push(...found.map((error) => `${name}, ${look.colorScheme}, ${look.width} px: ${error}`));
  }
  await showAs(page, 'light', NARROWEST_PX);
  errors.push(...(await tooWide(page)).map((error) => `${name}, ${NARROWEST_PX} px: ${error}`));
  await showAs(page, 'dark', 1280);
  await page.emulateMedia({ forcedColors: 'active' });
  errors.push(...(await visibilityErrors(page)).map((error) => `${name}, in forced colours: ${error}`));
  await page.emulateMedia({ forcedColors: 'none' });
  return errors;
}

export async function tooWide(page: Page): Promise<string[]> {
  const isTooWide = await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth');
  return isTooWide ? ['scrolls horizontally'] : [];
}

const THUMB_PX = 44;

/** The links, buttons and fields that are smaller than a thumb, except for links in running text. */
export function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(targetsBelow, THUMB_PX);
}

/** Runs in the browser, so it uses nothing from outside. */
function targetsBelow(size: number): string[] {
  const { document, getComputedStyle } = globalThis as any;
  const controls = 'a[href], button, summary, select, textarea, input:not([type=hidden])';
  return [...document.querySelectorAll(controls)].flatMap((control: any) => {
    const style = getComputedStyle(control);
    if (!control.checkVisibility({ visibilityProperty: true }) || style.display === 'inline') return [];
    if (
      control.closest('.visually-hidden, .skip, tbody th') ||
      control.matches('.skip, .visually-hidden-button')
    )
      return []; // a row of a list is a target as a whole
    const target = control.matches('[type=checkbox], [type=radio]')
      ? (control.closest('label, .check') ?? control)
      : control;
    const { width, height } = target.getBoundingClientRect();
    if (Math.min(width, height) >= size - 0.5) return [];
    const name = control.getAttribute('aria-label') ?? control.textContent.trim().slice(0, 40);
    return [`a target of ${Math.round(width)} by ${Math.round(height)} px: ${control.tagName} ${name}`];
  });
}
