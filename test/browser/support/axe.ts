import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';

const SOURCE = readFileSync(join(process.cwd(), 'node_modules/axe-core/axe.min.js'), 'utf8');

const prepared = new WeakSet<BrowserContext>();

/** What axe finds wrong. */
export async function axeErrors(page: Page): Promise<string[]> {
  await load(page);
  // only what is used leaves the browser: the whole result has each rule that passed
  return page.evaluate<string[]>(`axe.run({ resultTypes: ['violations'] }).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ' at ' + nodes.map(({ target }) => target.join(' ')).join(', ')))`);
}

/** To send axe to the browser takes longer than to run it, so it is sent once, for all later documents too. */
async function load(page: Page): Promise<void> {
  const context = page.context();
  if (!prepared.has(context)) await context.addInitScript(SOURCE);
  prepared.add(context);
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(SOURCE);
}
