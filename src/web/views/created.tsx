import type { NoticeEvent } from '../../pushes/push/notice-events.js';
import type { PushDto } from '../../pushes/push/push.dto.js';
import { DeleteLink } from './delete-link.js';
import { Layout } from './layout.js';
import { LinkToCopy } from './link-to-copy.js';
import { CreatedEncrypted } from './created-encrypted.js';
import { QrCode } from './qr.js';
import { SendLink } from './send-link.js';
import { NoticeList } from './notice-events.js';
import { Link } from './site.js';
import { Sentence, useTexts } from './texts.js';
import { Time } from './words.js';

export interface CreatedProps {
  push: PushDto;
  isOwner: boolean;
  /** The events that the visitor may still get a mail about, as its owner. */
  notices: NoticeEvent[];
  /** The key with which a sender without an account may delete the push. */
  deleteKey?: string;
  /** How many recipients get the link by mail. */
  mailed?: number;
}

/** The link of a push, ready to be sent. Clients find the QR code by its id, `qrcode`. */
export function Created(props: CreatedProps) {
  const { push, isOwner, deleteKey, mailed = 0 } = props;
  const t = useTexts();
  return (
    <Layout title={t.text('created.title')} script="created">
      {isOwner && mailed > 0 && (
        <p class="notice" role="status">
          {t.text('mailLink.sent', { count: mailed })}
        </p>
      )}
      {push.client_encrypted ? <CreatedEncrypted {...props} /> : <CreatedByServer {...props} />}
      {!isOwner && <DeleteLink push={push} deleteKey={deleteKey} />}
      <p class="actions">
        <Link to="/">{t.text('created.again')}</Link>
        {isOwner && <Link to={`/p/${push.url_token}/audit`}>{t.text('created.activity')}</Link>}
      </p>
    </Layout>
  );
}

function CreatedByServer(props: CreatedProps) {
  const { push } = props;
  const t = useTexts();
  return (
    <>
      <h1>{t.text('created.title')}</h1>
      <p class="lede">{t.text('created.intro')}</p>
      <section class="card">
        <LinkToCopy url={push.html_url} />
        <SendLink url={push.html_url} />
        {push.passphrase_required && <p class="notice">{t.text('created.passphrase')}</p>}
        <div class="created">
          <div>
            <QrCode text={push.html_url} label={t.text('copy.qr')} id="qrcode" />
            <SaveQrCode />
          </div>
          <Facts {...props} />
        </div>
      </section>
    </>
  );
}

/** A button that a script shows. */
export function SaveQrCode() {
  return (
    <button type="button" class="link" hidden data-save-qr="qrcode">
      {useTexts().text('created.saveQr')}
    </button>
  );
}

export function Facts({ push, isOwner, notices, deleteKey }: CreatedProps) {
  const t = useTexts();
  return (
    <ul class="facts">
      <li>
        <Sentence of="created.expires" views={push.views_remaining} time={<Time at={push.expires_at} />} />
      </li>
      {push.retrieval_step && <li>{t.text('created.retrievalStep')}</li>}
      {push.deletable_by_viewer && <li>{t.text('created.deletable')}</li>}
      {!push.deletable_by_viewer && isOwner && <li>{t.text('created.deletableByYou')}</li>}
      {!push.deletable_by_viewer && deleteKey !== undefined && <li>{t.text('created.deletableByLink')}</li>}
      <li>{t.text(push.client_encrypted ? 'endToEnd.factByBrowser' : 'endToEnd.factByServer')}</li>
      <NoticeList events={notices} of="li" />
    </ul>
  );
}
