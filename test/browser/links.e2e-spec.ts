import { readQrCode } from '../support/qr-code.js';
import { readQrImage } from './support/qr-image.js';
import { startSite } from './support/site.js';

describe('Links in the forms that clients use', () => {
  const { running, person } = startSite();

  const secret = () => person.page.locator('#secret').textContent();

  it.each(['/pt-BR/r/T', '//en/p/T/'])('%s leads to the secret', async (path) => {
    const { url_token } = await running.anonymous.push({ payload: 'correct horse', expire_after_views: 1 });

    await person.openLink(path.replace('T', url_token));
    await person.page.locator('#secret').waitFor(); // in the language that the link names

    expect(await secret()).toBe('correct horse');
  });

  it('keep their fragment when redirected', async () => {
    const { url_token } = await running.anonymous.push({ payload: 'correct horse', retrieval_step: true });

    await person.visit(`/en/p/${url_token}/r#fragment`);

    expect(person.page.url()).toBe(`${running.url}/p/${url_token}?locale=en#fragment`);
  });

  it('are on the preview page, as text and as a QR code that leads to the secret', async () => {
    const { url_token, html_url } = await running.anonymous.push({ payload: 'correct horse' });

    await person.visit(`/p/${url_token}/preview`);
    const link = readQrCode(await person.page.content(), 'qrcode');
    await (await person.unfolded(person.page.locator('svg#qrcode'))).waitFor();
    expect(await person.page.getByText('This page is for the sender.').isVisible()).toBe(true);
    expect(await person.page.getByLabel('Link', { exact: true }).inputValue()).toBe(html_url);
    await person.openLink(link ?? '');
    await person.waitForHeading('Here is the secret');

    expect(await secret()).toBe('correct horse');
  });

  it('have a QR code that a browser extension can extract from the preview page and draw', async () => {
    const { html_url } = await running.anonymous.push({ payload: 'correct horse', retrieval_step: true });
    await person.visit('/');

    const html = await person.page.evaluate(
      async (address) => (await (globalThis as any).fetch(address)).text() as Promise<string>,
      `${html_url as string}/preview`,
    );
    const markup = /<svg.*?<\/svg>/is.exec(html)?.[0] ?? '';

    // our content security policy forbids blob:
    const source = `data:image/svg+xml,${encodeURIComponent(markup)}`;
    expect(await readQrImage(person.page, source)).toBe(html_url);
  });
});
