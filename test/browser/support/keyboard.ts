import type { Locator, Page } from 'playwright-core';
import { focusErrors } from './visibility-errors.js';

const MAX_STOPS = 60;

/** A user without a mouse. */
export class Keyboard {
  /** Where the focus could not be seen. */
  readonly errors: string[] = [];

  constructor(private readonly page: Page) {}

  async tabTo(target: Locator): Promise<void> {
    for (let stops = 0; stops < MAX_STOPS; stops++) {
      if (await target.evaluate((element: any) => element === element.ownerDocument.activeElement)) return;
      await this.press('Tab');
      this.errors.push(...(await focusErrors(this.page)));
    }
    throw new Error(`not reached by Tab: ${target.toString()}`);
  }

  press(key: string): Promise<void> {
    return this.page.keyboard.press(key);
  }

  type(text: string): Promise<void> {
    return this.page.keyboard.type(text);
  }

  /** Presses a button or follows a link. */
  async use(target: Locator): Promise<void> {
    await this.tabTo(target);
    await this.press('Enter');
  }
}
