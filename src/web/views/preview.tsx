import { Layout } from './layout.js';
import { LinkToCopy } from './link-to-copy.js';
import { QrCode } from './qr.js';

/** The link of a push, ready to be shared. Clients find the QR code by its id, `qrcode`. */
export function Preview({ url }: { url: string }) {
  return (
    <Layout title="The link">
      <h1>The link</h1>
      <p class="lede">Send it to whoever needs the secret. Looking at this page counts no view.</p>
      <section class="card">
        <LinkToCopy url={url} />
        <QrCode text={url} label="The link as a QR code" id="qrcode" />
      </section>
    </Layout>
  );
}
