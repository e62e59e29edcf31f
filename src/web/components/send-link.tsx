import type { ComponentChildren } from 'preact';
import { AnchorButton, Button, SummaryButton } from './button.js';
import { useTexts } from './site.js';

interface SendLinkProps {
  url: string;
  /** Of the mail. */
  subject?: 'created.mailSubject' | 'request.mailSubject';
  text?: 'created.mailText' | 'request.mailText';
  /** The QR code of the link. */
  children: ComponentChildren;
}

/** Ways to send a link. A mail has nothing but the link: never the passphrase. */
export function SendLink({
  url,
  subject = 'created.mailSubject',
  text = 'created.mailText',
  children,
}: SendLinkProps) {
  const t = useTexts();
  const mail = new Map([
    ['subject', t.text(subject)],
    ['body', t.text(text, { url })],
  ]);
  const query = [...mail].map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  return (
    <div class="share-row" data-send>
      <AnchorButton icon="mail" href={`mailto:?${query}`}>
        {t.text('created.mail')}
      </AnchorButton>
      <Button type="button" icon="share" hidden data-share={url}>
        {t.text('created.share')}
      </Button>
      <details>
        <SummaryButton icon="qr">{t.text('kind.qr')}</SummaryButton>
        <div class="qr-code">
          {children}
          <Button type="button" look="quiet" size="small" icon="download" hidden data-save-qr="qrcode">
            {t.text('created.saveQr')}
          </Button>
        </div>
      </details>
    </div>
  );
}
