import { makeFolder } from '../support/folder.js';
import { forAllTests } from '../support/for-tests.js';
import { errorsOf } from './support/look.js';
import { startSite } from './support/site.js';

/** Would change the title of a document in which it ran, and the one that shows it. */
const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 32" onload="top.document.title='ran'">
  <script>top.document.title = 'ran'; fetch('/ran')</script>
  <style>rect { fill: #8a1538 }</style>
  <rect width="120" height="32" rx="4"/><image href="/ran" width="9" height="9"/>
</svg>`;

describe('The brand of the operator in a browser', () => {
  const folder = forAllTests(makeFolder);
  const { running, person } = startSite({
    settings: () => ({
      OPERATOR_NAME: 'Gemeinde Oberammergau-Unterammergau, Informationstechnik',
      OPERATOR_CONTACT: 'it@example.org',
      FOOTER_TEXT: 'For employees and their partners. '.repeat(5).trim(),
      BRAND_LOGO_FILE: folder.file(LOGO),
      BRAND_COLOR: '#8a1538',
    }),
    browser: { reducedMotion: 'reduce' },
    expected: /Content Security Policy|Blocked script execution/,
  });

  it('has a logo whose script never runs, on a page or opened by itself (E3)', async () => {
    const answered: string[] = []; // a request that the policy forbids gets no response
    person.page.on('response', (response) => answered.push(new URL(response.url()).pathname));
    await person.visit('/');
    const source = (await person.page.locator('.brand img').getAttribute('src')) ?? '';
    expect(
      await person.page.locator('.brand img').evaluate((image: any) => image.naturalWidth),
    ).toBeGreaterThan(0);
    expect(await person.page.title()).not.toBe('ran');

    await person.visit(source);
    await person.page.waitForLoadState('networkidle');
    expect(await person.page.title()).not.toBe('ran');
    expect(answered).toContain(source);
    expect(answered).not.toContain('/ran');
  });

  it('is accessible and fits, light and dark, narrow and wide', async () => {
    const { html_url } = await running.anonymous.push({ payload: 'x', retrieval_step: true });
    const errors: string[] = [];
    for (const [name, address] of [
      ['home', '/'],
      ['open', html_url],
      ['sign-in', '/users/sign_in'],
    ] as const) {
      await person.visit(address);
      errors.push(...(await errorsOf(person.page, `brand-${name}`)));
    }

    expect(errors).toEqual([]);
  });
});
