import type { OwnPushDto } from '../../pushes/push.dto.js';
import { DeleteLink } from './delete-link.js';
import { Layout } from './layout.js';
import { QrCode } from './qr.js';
import { Link } from './site.js';
import { remains, Time } from './words.js';
import { LinkToCopy } from './link-to-copy.js';

interface MadeProps {
  push: OwnPushDto;
  isOwner: boolean;
  /** With it a sender without an account may delete the push. */
  deleteKey: string | undefined;
}

export function Made({ push, isOwner, deleteKey }: MadeProps) {
  return (
    <Layout title="Your link is ready">
      <h1>Your link is ready</h1>
      <p class="lede">Send it to whoever needs the secret. This page shows it once.</p>
      <section class="card">
        <LinkToCopy url={push.html_url} />
        <div class="made">
          <QrCode text={push.html_url} label="The link as a QR code" />
          <ul class="facts">
            <li>
              Good for <strong>{remains(push)}</strong>, whichever comes first.
            </li>
            <li>
              Gone on <Time at={push.expires_at} /> at the latest.
            </li>
            {push.passphrase_required && <li>Needs its passphrase. Send that another way.</li>}
            {push.retrieval_step && <li>Asks for a click before it opens.</li>}
            <li>
              {push.deletable_by_viewer
                ? 'Whoever opens it may delete it.'
                : isOwner
                  ? 'Only you may delete it.'
                  : deleteKey !== undefined
                    ? 'Only whoever has the delete link below may delete it.'
                    : 'Nobody can delete it before its time.'}
            </li>
          </ul>
        </div>
      </section>
      {deleteKey !== undefined && <DeleteLink push={push} deleteKey={deleteKey} />}
      <p class="actions">
        <Link to="/">Share another secret</Link>
        {isOwner && <Link to={`/p/${push.url_token}/audit`}>See who opens it</Link>}
      </p>
    </Layout>
  );
}
