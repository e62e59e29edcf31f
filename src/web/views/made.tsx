import type { OwnPushDto } from '../../pushes/push.dto.js';
import { DeleteLink } from './delete-link.js';
import { Layout } from './layout.js';
import { QrCode } from './qr.js';
import { Link } from './site.js';
import { Sentence, useTexts } from './texts.js';
import { Time } from './words.js';
import { LinkToCopy } from './link-to-copy.js';

interface MadeProps {
  push: OwnPushDto;
  isOwner: boolean;
  /** With it a sender without an account may delete the push. */
  deleteKey: string | undefined;
}

export function Made({ push, isOwner, deleteKey }: MadeProps) {
  const t = useTexts();
  return (
    <Layout title={t.text('created.title')}>
      <h1>{t.text('created.title')}</h1>
      <p class="lede">{t.text(isOwner ? 'created.intro' : 'created.introOnce')}</p>
      <section class="card">
        <LinkToCopy url={push.html_url} />
        <div class="made">
          <QrCode text={push.html_url} label={t.text('copy.qr')} />
          <ul class="facts">
            <li>
              <Sentence
                of="created.expires"
                views={push.views_remaining}
                time={<Time at={push.expires_at} />}
              />
            </li>
            {push.passphrase_required && <li>{t.text('created.passphrase')}</li>}
            {push.retrieval_step && <li>{t.text('created.retrievalStep')}</li>}
            <li>
              {t.text(
                push.deletable_by_viewer
                  ? 'created.deletable'
                  : isOwner
                    ? 'created.deletableByYou'
                    : deleteKey !== undefined
                      ? 'created.deletableByLink'
                      : 'created.deletableByNobody',
              )}
            </li>
          </ul>
        </div>
      </section>
      {deleteKey !== undefined && <DeleteLink push={push} deleteKey={deleteKey} />}
      <p class="actions">
        <Link to="/">{t.text('created.again')}</Link>
        {isOwner && <Link to={`/p/${push.url_token}/audit`}>{t.text('created.activity')}</Link>}
      </p>
    </Layout>
  );
}
