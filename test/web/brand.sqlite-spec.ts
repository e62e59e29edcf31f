import { makeFolder } from '../support/folder.js';
import { forAllTests, forThisTest } from '../support/for-tests.js';
import { asData, PageClient } from '../support/page-client.js';
import type { RunningApp } from '../support/start-app.js';
import { startApp } from '../support/start-app.js';

const HOSTILE = `</title><script>alert(1)</script>"'&`;
const ESCAPED = "&lt;/title>&lt;script>alert(1)&lt;/script>&quot;'&amp;";
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(500)]);

describe('The brand of the operator', () => {
  const folder = forAllTests(makeFolder);

  const start = (env: Record<string, string> = {}) => forThisTest(startApp(env));
  const home = async ({ anonymous }: RunningApp): Promise<string> => (await anonymous.get('/')).body;
  const asset = async (running: RunningApp, name: string) => {
    const [path = ''] = new RegExp(`/assets/[^/"]+/${name}`).exec(await home(running)) ?? [];
    const response = await fetch(running.url + path);
    return { response, content: Buffer.from(await response.arrayBuffer()), path };
  };

  it('is Sealpush without any setting', async () => {
    const page = await home(await start());

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
    const page = await home(await start({ OPERATOR_CONTACT: 'help+a?b@example.org' }));

    expect(page).toContain('href="mailto:help%2Ba%3Fb@example.org"');
  });

  it('has a contact whom people ask who forgot their password', async () => {
    const signIn = async (url: string) => (await new PageClient(url).get('/users/sign_in')).body;
    const withContact = await start({ OPERATOR_CONTACT: 'help@example.org' });
    expect(await signIn(withContact.url)).toContain(
      '<a href="mailto:help@example.org" rel="noreferrer">Ask the operator</a>',
    );
    const without = await start({});
    expect(await signIn(without.url)).toContain('The operator of this site can give you a new one.');
  });

  it('has a logo, which as a document of its own runs nothing (E3)', async () => {
    const running = await start({ BRAND_LOGO_FILE: folder.file(SVG, 'a.svg') });
    const { response, content } = await asset(running, 'logo.svg');

    expect(await home(running)).toMatch(/<img src="[^"]+\/logo\.svg" alt /);
    expect(content.toString()).toBe(SVG);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/svg+xml',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable, no-transform',
    });
  });

  it('may have a logo that is not worth compressing', async () => {
    const running = await start({ BRAND_LOGO_FILE: folder.file(PNG, 'a.png') });
    const { response, content } = await asset(running, 'logo.png');

    expect(content.equals(PNG)).toBe(true);
    expect(response.headers.get('content-type')).toBe('image/png');
    expect(response.headers.has('content-encoding')).toBe(false);
    expect(response.headers.has('vary')).toBe(false);
  });

  it('has a colour, also in dark mode, and other addresses of assets', async () => {
    const { path: before } = await asset(await start(), 'sealpush.css');
    const coloured = await start({ BRAND_COLOR: '#8A1538' });
    const { content } = await asset(coloured, 'brand.css');
    const css = content.toString();

    expect(css).toContain('--action: #8a1538;');
    expect(css.match(/--action: #[0-9a-f]{6};/g)).toHaveLength(2);
    expect((await asset(coloured, 'sealpush.css')).path).not.toBe(before);

    const twice = await start({ BRAND_COLOR: '#8A1538', BRAND_COLOR_DARK: '#ffc0cb' });
    expect((await asset(twice, 'brand.css')).content.toString()).toContain('--action: #ffc0cb;');
  });

  it('has another lightness of a colour where that would be hard to read', async () => {
    const css = (await asset(await start({ BRAND_COLOR: '#ffcc00' }), 'brand.css')).content.toString();

    expect(css).toMatch(/--on-action: #16211e;/);
    expect(css).not.toContain('--action-text: #ffcc00;\n  --focus: #ffcc00;\n}\n@media');
  });
});
