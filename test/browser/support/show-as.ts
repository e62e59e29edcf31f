import type { Page } from 'playwright-core';

const TRANSITIONS = `Promise.allSettled(document.getAnimations()
  .filter((animation) => animation instanceof CSSTransition)
  .filter(({ effect }) => effect.target.checkVisibility()) // the others never end
  .map(({ finished }) => finished))`;

/** Shows a page in another scheme and width, and waits until its colours have changed. */
export async function showAs(page: Page, colorScheme: 'light' | 'dark', width: number): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height: 800 });
  await page.evaluate(TRANSITIONS);
}
