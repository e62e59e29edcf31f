import { LinkToCopy } from './link-to-copy.js';
import type { CreatedProps } from './created.js';
import { Facts, SaveQrCode } from './created.js';
import { EmptyQrCode } from './qr.js';
import { SendLink } from './send-link.js';
import { useTexts } from './texts.js';

/**
 * The page of a push that the browser has encrypted. The server does not know its whole link: a script completes it
 * with the fragment that this tab has kept, or shows why there is none.
 */
export function CreatedEncrypted(props: CreatedProps) {
  const { html_url } = props.push;
  const t = useTexts();
  return (
    <>
      <div hidden data-link="whole">
        <h1>{t.text('created.title')}</h1>
        <p class="lede">{t.text('created.intro')}</p>
      </div>
      <div hidden data-link="incomplete">
        <NoLink />
      </div>
      <noscript>
        <NoLink />
      </noscript>
      <section class="card">
        <div hidden data-link="whole">
          <LinkToCopy url={html_url} />
          <SendLink url={html_url} />
          <p class="notice" hidden data-link="with passphrase">
            {t.text('created.passphrase')}
          </p>
        </div>
        <div class="created">
          <div hidden data-link="whole">
            <EmptyQrCode label={t.text('copy.qr')} id="qrcode" />
            <SaveQrCode />
          </div>
          <Facts {...props} />
        </div>
      </section>
    </>
  );
}

function NoLink() {
  const t = useTexts();
  return (
    <>
      <h1>{t.text('endToEnd.noLinkTitle')}</h1>
      <p class="lede">{t.text('endToEnd.noLink')}</p>
    </>
  );
}
