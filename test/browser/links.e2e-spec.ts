import decode from 'jsqr';
import { readQrCode } from '../support/qr-code.js';
import { startSite } from './support/site.js';

const SIDE = 400;

/** Runs in the browser, and returns the pixels of the first SVG in the HTML at a URL. */
const DRAW = async ({ address, side }: { address: string; side: number }): Promise<string> => {
  const { document, Image, fetch } = globalThis as any;
  const html = await (await fetch(address)).text();
  const markup = /<svg.*?<\/svg>/is.exec(html)?.[0];
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(markup ?? '')}`; // our content security policy forbids blob:
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = side;
  const context = canvas.getContext('2d');
  context.drawImage(image, 0, 0, side, side);
  const { data } = context.getImageData(0, 0, side, side);
  return Array.from(data as number[], (value) => String.fromCharCode(value)).join(''); // a long list takes a minute
};

describe('Links in the forms that clients use', () => {
  const { running, person } = startSite();

  const secret = () => person.page.locator('#secret').textContent();

  it.each(['/en/p/T', '/en/p/T/r', '/en/f/T', '/pt-BR/r/T', '/f/T', '//p/T', '/p/T/', '//en/p/T/'])(
    '%s leads to the secret',
    async (path) => {
      const { url_token } = await running.anonymous.push({ payload: 'correct horse', expire_after_views: 1 });

      await person.visit(path.replace('T', url_token));
      await person.waitForHeading('Shared secret');

      expect(await secret()).toBe('correct horse');
    },
  );

  it('keep their fragment when redirected', async () => {
    const { url_token } = await running.anonymous.push({ payload: 'correct horse', retrieval_step: true });

    await person.visit(`/en/p/${url_token}/r#fragment`);

    expect(person.page.url()).toBe(`${running.url}/p/${url_token}#fragment`);
  });

  it('are on the preview page, as text and as a QR code that leads to the secret', async () => {
    const { url_token, html_url } = await running.anonymous.push({ payload: 'correct horse' });

    await person.visit(`/p/${url_token}/preview`);
    const link = readQrCode(await person.page.content(), 'qrcode');
    expect(await person.page.locator('svg#qrcode').isVisible()).toBe(true);
    expect(await person.page.getByLabel('Link', { exact: true }).inputValue()).toBe(html_url);
    await person.visit(link ?? '');
    await person.waitForHeading('Shared secret');

    expect(await secret()).toBe('correct horse');
  });

  it('have a QR code that a browser extension can extract from the preview page and draw', async () => {
    const { html_url } = await running.anonymous.push({ payload: 'correct horse', retrieval_step: true });
    await person.visit('/');

    const drawn = await person.page.evaluate(DRAW, { address: `${html_url}/preview`, side: SIDE });

    expect(decode(Uint8ClampedArray.from(Buffer.from(drawn, 'latin1')), SIDE, SIDE)?.data).toBe(html_url);
  });

  it('redirect from /help/api and /api_tokens to the pages used here', async () => {
    await person.visit('/help/api');
    expect(await person.heading()).toBe('API');
    await person.visit('/api_tokens');

    expect(await person.heading()).toBe('Sign in');
  });
});
