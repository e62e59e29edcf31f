import type { Page } from 'playwright-core';
import { launch } from './support/browser.js';
import { focusErrors, visibilityErrors } from './support/visibility-errors.js';

describe('The check of what can be seen', () => {
  let page: Page;

  beforeAll(async () => (page = await (await launch()).newPage()));

  it.each([
    ['<button>x</button>', 'outline: 2px solid #767676', []],
    ['<button>x</button>', 'outline: 2px solid #999', ['shows the focus too faintly']],
    ['<a href="#">x</a>', 'outline: 2px solid #000; color: #888', ['cannot be read with the focus']],
    ['<button>x</button>', 'outline: 2px solid rgb(0 0 0 / 30%)', ['shows the focus too faintly']],
    ['<button>x</button>', 'outline: 1px solid #000', ['shows no focus']],
    ['<button>x</button>', 'outline: none', ['shows no focus']],
    [
      '<details><summary style="line-height: 16px">x</summary></details>',
      'outline: 2px solid #000',
      ['is hard to hit'],
    ],
    [
      '<p class="segments"><label><input type="radio" checked><span style="background: #eee">x</span></label></p>',
      'outline: 2px solid #000',
      ['shows no focus', 'shows its choice too faintly'],
    ],
  ])('finds in %s with %s: %j', async (html, style, errors) => {
    await page.setContent(`<style>:focus { ${style} }</style>${html}`);

    expect((await visibilityErrors(page)).map((error) => error.split(':')[0])).toEqual(errors);
  });

  it('finds a focus that is out of view', async () => {
    const style = 'position: fixed; top: -5rem; outline: 2px solid #000';
    await page.setContent(`<button style="${style}">x</button>`);
    await page.keyboard.press('Tab');

    expect((await focusErrors(page)).map((error) => error.split(':')[0])).toEqual(['is out of view']);
  });
});
