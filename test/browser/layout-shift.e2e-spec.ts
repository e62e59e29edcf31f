import { setTimeout as delay } from 'node:timers/promises';
import { pushEndToEnd } from '../support/end-to-end-push.js';
import { pushFiles } from '../support/files.js';
import type { Client } from '../support/client.js';
import type { Person } from './support/person.js';
import { startSite } from './support/site.js';

interface Shift {
  value: number;
  /** What moves, and how far. */
  of: string[];
}

/** How far the page moves without being asked to, as browsers measure it. */
const WATCH_SHIFTS = `window.shifts = []; new PerformanceObserver((list) => {
  for (const { value, hadRecentInput, sources } of list.getEntries())
    if (!hadRecentInput) window.shifts.push({ value, of: sources.map(({ node, previousRect, currentRect }) =>
      [node?.outerHTML?.slice(0, 60) ?? node?.textContent, previousRect.top, currentRect.top].join(' ')) });
}).observe({ type: 'layout-shift', buffered: true })`;

const FILES = [
  { name: 'contract.pdf', content: Buffer.alloc(3000) },
  { name: 'photo.jpg', content: 'x' },
];

interface Page {
  person: Person;
  anonymous: Client;
  owner: Client;
}

const open = async ({ person }: Page, link: string) => {
  await person.visit(link);
  await person.press('Open');
  await person.page.getByRole('heading', { level: 1, name: /^Here / }).waitFor();
  await person.page.locator('[data-decrypting]').waitFor({ state: 'hidden' });
};
const create = async ({ person }: Page) => {
  await person.visit('/');
  await person.fill({ Secret: 'correct horse' });
  await person.press('Create link');
  await person.waitForHeading('Your link is ready');
};

const PAGES: [name: string, visit: (page: Page) => Promise<void>][] = [
  ['the form', ({ person }) => person.visit('/')],
  ['the result', create],
  [
    'the result, loaded again',
    async (page) => {
      await create(page);
      await page.person.press('Copy link');
      await page.person.page.reload();
    },
  ],
  [
    'a link before it is opened',
    async ({ person, anonymous }) =>
      person.visit((await pushEndToEnd(anonymous, { text: 'correct horse' })).link),
  ],
  [
    'a text',
    async (page) => open(page, (await pushEndToEnd(page.anonymous, { text: 'correct horse' })).link),
  ],
  [
    'files',
    async (page) => open(page, (await pushEndToEnd(page.anonymous, { kind: 'file', files: FILES })).link),
  ],
  [
    'a text that the server decrypts',
    async ({ person, anonymous }) => {
      await person.openLink((await anonymous.push({ payload: 'correct horse' })).html_url as string);
      await person.waitForHeading('Here is the secret');
    },
  ],
  [
    'files that the server decrypts',
    async ({ person, anonymous }) => {
      await person.openLink((await pushFiles(anonymous, FILES)).html_url as string);
      await person.waitForHeading('Here are the files');
    },
  ],
  [
    "an owner's list",
    async ({ person, owner }) => {
      for (const name of ['tulip', '']) await owner.push({ payload: 'correct horse', name });
      await person.visit('/pushes');
    },
  ],
  [
    'the activity of a secret',
    async ({ person, anonymous, owner }) => {
      const { url_token } = await owner.push({ payload: 'correct horse', name: 'tulip' });
      await anonymous.retrieve(url_token as string);
      await person.visit(`/p/${url_token}/audit`);
    },
  ],
  [
    'the page to sign in',
    async ({ person }) => {
      await person.context.clearCookies();
      await person.visit('/users/sign_in');
    },
  ],
];

describe.each([
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
  { width: 360, height: 740 },
])(
  'Nothing moves, although the scripts and typefaces arrive late, at $width x $height pixels in',
  (viewport) => {
    const { running, person, signIn } = startSite({
      settings: { FILES_REQUIRE_AUTHENTICATION: 'false' },
      // at twice the pixels, as phones have them: with fewer, each letter is as wide as whole pixels
      browser: { viewport, deviceScaleFactor: 2, permissions: ['clipboard-read', 'clipboard-write'] },
    });

    it.each(PAGES)('%s', async (_name, visit) => {
      const { client: owner } = await signIn();
      await person.page.addInitScript(WATCH_SHIFTS);
      await person.page.route(/\.(js|woff2)$/, async (route) => {
        await delay(300);
        await route.continue();
      });
      await visit({ person, anonymous: running.anonymous, owner });
      await person.page.waitForLoadState('networkidle');
      const shifts: Shift[] = await person.page.evaluate('window.shifts');

      expect(shifts.reduce((sum, { value }) => sum + value, 0) < 0.01 ? [] : shifts).toEqual([]);
    });
  },
);
