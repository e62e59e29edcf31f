import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asData, PageClient } from '../support/page-client.js';
import type { RunningApp } from '../support/start-app.js';
import { startApp } from '../support/start-app.js';

const HOSTILE = `</title><script>alert(1)</script>"'&`;
const ESCAPED = "&lt;/title>&lt;script>alert(1)&lt;/script>&quot;'&amp;";
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(500)]);

describe('The brand of the operator', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sealpush-brand-'));
  let running: RunningApp | undefined;

  const start = async (env: Record<string, string> = {}) => (running = await startApp(env));
  const file = (name: string, content: string | Buffer) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const home = async (): Promise<string> => (await running?.anonymous.get('/'))?.body;
  const asset = async (name: string) => {
    const [path = ''] = new RegExp(`/assets/[^/"]+/${name}`).exec(await home()) ?? [];
    const response = await fetch((running?.url ?? '') + path);
    return { response, content: Buffer.from(await response.arrayBuffer()), path };
  };
  afterEach(async () => {
    await running?.stop();
    running = undefined;
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it('is Sealpush without any setting', async () => {
    await start();
    const page = await home();

    expect(page).toContain('· Sealpush</title>');
    expect(page).not.toMatch(/brand\.css|logo\.|Run by|Contact/);
  });

  it('is on every page, also of errors and of the API, as text (E5)', async () => {
    const { url, anonymous } = await start({
      OPERATOR_NAME: HOSTILE,
      OPERATOR_CONTACT: 'https://example.org/?a="><script>',
      FOOTER_TEXT: `Imprint ${HOSTILE}`,
    });
    const { html_url } = await anonymous.push({ payload: 'x' });
    const pages = ['/', '/nowhere', '/users/sign_in', new URL(html_url).pathname, '/api/docs'];

    for (const page of pages) {
      const { body } = await new PageClient(url).get(page);
      expect(body).toContain(`· ${ESCAPED}</title>`);
      expect(body).toContain(`Run by ${asData(ESCAPED)}`);
      expect(body).toContain(`Imprint ${ESCAPED}`);
      expect(body).toContain('href="https://example.org/?a=%22%3E%3Cscript%3E"');
      expect(body).not.toContain('<script>');
    }
  });

  it('links to an email address as one', async () => {
    await start({ OPERATOR_CONTACT: 'help+a?b@example.org' });

    expect(await home()).toContain('href="mailto:help%2Ba%3Fb@example.org"');
  });

  it('has a contact whom people ask who forgot their password', async () => {
    const signIn = async (url: string) => (await new PageClient(url).get('/users/sign_in')).body;
    const withContact = await start({ OPERATOR_CONTACT: 'help@example.org' });
    expect(await signIn(withContact.url)).toContain(
      '<a href="mailto:help@example.org" rel="noreferrer">Ask the operator</a>',
    );
    await withContact.stop();

    const without = await start({});
    expect(await signIn(without.url)).toContain('The operator of this site can give you a new one.');
  });

  it('has a logo, which as a document of its own runs nothing (E3)', async () => {
    await start({ BRAND_LOGO_FILE: file('a.svg', SVG) });
    const { response, content } = await asset('logo.svg');

    expect(await home()).toMatch(/<img src="[^"]+\/logo\.svg" alt /);
    expect(content.toString()).toBe(SVG);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/svg+xml',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable, no-transform',
    });
  });

  it('may have a logo that is not worth compressing', async () => {
    await start({ BRAND_LOGO_FILE: file('a.png', PNG) });
    const { response, content } = await asset('logo.png');

    expect(content.equals(PNG)).toBe(true);
    expect(response.headers.get('content-type')).toBe('image/png');
    expect(response.headers.has('content-encoding')).toBe(false);
    expect(response.headers.has('vary')).toBe(false);
  });

  it('has a colour, also in dark mode, and other addresses of assets', async () => {
    await start();
    const { path: before } = await asset('sealpush.css');
    await running?.stop();
    await start({ BRAND_COLOR: '#8A1538' });
    const { content } = await asset('brand.css');
    const css = content.toString();

    expect(css).toContain('--pico-primary: #8a1538;');
    expect(css.match(/--pico-primary: #[0-9a-f]{6};/g)).toHaveLength(2);
    expect((await asset('sealpush.css')).path).not.toBe(before);
    await running?.stop();

    await start({ BRAND_COLOR: '#8A1538', BRAND_COLOR_DARK: '#ffc0cb' });
    expect((await asset('brand.css')).content.toString()).toContain('--pico-primary: #ffc0cb;');
  });

  it.each([
    [
      { BRAND_COLOR: '#ffcc00' },
      /^Wrong settings\. BRAND_COLOR: has too little contrast in light mode for links on the page \(1\.\d\d:1 instead of 4\.5:1\), .*focus rings .*; the nearest lightness that suffices is that of #[0-9a-f]{6}$/,
    ],
    [
      { BRAND_COLOR: '#123456', BRAND_COLOR_DARK: '#123456' },
      /^Wrong settings\. BRAND_COLOR_DARK: has too little contrast in dark mode for .*; the nearest lightness that suffices is that of #[0-9a-f]{6}$/,
    ],
  ])('cannot be hard to read: %j', async (env, message) => {
    await expect(startApp(env as Record<string, string>)).rejects.toThrow(message);
  });
});
