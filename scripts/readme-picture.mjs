// Writes the picture of the README, docs/images/share-a-secret.png: the form and the page of the link, side by side.
// Needs a service at http://localhost:5100 with an empty data folder, Chromium (CHROMIUM) and pngquant.
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { chromium } from 'playwright-core';

const SERVICE = 'http://localhost:5100';
const PICTURE = 'docs/images/share-a-secret.png';
const PAGE = { width: 800, height: 700 };

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
const page = await browser.newPage({ viewport: PAGE, colorScheme: 'light', locale: 'en' });
const pictures = [];
const keep = async () =>
  pictures.push(`data:image/png;base64,${(await page.screenshot()).toString('base64')}`);

await page.goto(SERVICE);
await page.getByLabel('Secret', { exact: true }).fill('correct horse battery staple');
await page.evaluate('document.activeElement.blur()');
await keep();
await page.getByRole('button', { name: 'Create link', exact: true }).click();
await page.getByRole('heading', { level: 1, name: 'Your link is ready' }).waitFor();
await keep();

await page.setViewportSize({ width: 2 * PAGE.width, height: PAGE.height });
await page.goto('about:blank');
await page.setContent(
  `<body style="margin: 0; display: flex">${pictures.map((source) => `<img src="${source}">`).join('')}`,
);
mkdirSync('docs/images', { recursive: true });
await page.screenshot({ path: PICTURE });
await browser.close();
execFileSync('pngquant', ['--force', '--ext', '.png', '--strip', '--speed', '1', '64', PICTURE]);
