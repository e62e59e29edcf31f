import { Layout } from './layout.js';
import { LinkToCopy } from './link-to-copy.js';
import { QrCode } from './qr.js';
import { useTexts } from './texts.js';

/** The link of a push, ready to be shared. Clients find the QR code by its id, `qrcode`. */
export function Preview({ url }: { url: string }) {
  const t = useTexts();
  return (
    <Layout title={t.text('preview.title')}>
      <h1>{t.text('preview.title')}</h1>
      <p class="lede">{t.text('preview.intro')}</p>
      <section class="card">
        <LinkToCopy url={url} />
        <QrCode text={url} label={t.text('copy.qr')} id="qrcode" />
      </section>
    </Layout>
  );
}
