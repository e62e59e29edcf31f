import type { Translator } from '../../../src/texts/translator.js';
import type { Person } from './person.js';
import type { Site } from './site.js';

/** Would be run, or break the page, if it were not escaped. */
export const HOSTILE = '<img src=x onerror="document.title=1"> & "quoted"';

/** Somebody who visits pages in each of their states, and looks at each. */
export interface Tour extends Site {
  /** The texts of the pages. */
  t: Translator;
  look: (name: string) => Promise<void>;
}

/** An element with text in it. */
export const waitForAlert = ({ page }: Person): Promise<void> =>
  page.locator('[role=alert]:not(:empty)').first().waitFor();

/** What comes back for a form from now on, as from a proxy, until the page’s routes are removed. */
export async function answerForms(
  { page }: Person,
  answer: { status: number; headers?: Record<string, string>; body?: string } | 'never',
): Promise<void> {
  await page.route('**', async (route) => {
    if (route.request().method() !== 'POST') await route.continue();
    else if (answer !== 'never') await route.fulfill(answer);
  });
}
