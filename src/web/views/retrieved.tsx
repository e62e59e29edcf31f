import type { RetrievedPushDto } from '../../pushes/push/push.dto.js';
import type { DownloadLinks as Links } from './linked-files.js';
import { DownloadLinks } from './download-links.js';
import { EndToEndSign } from './end-to-end/badge.js';
import { Encrypted } from './end-to-end/encrypted.js';
import { Layout } from './layout.js';
import { Payload } from './payload.js';
import { DeleteForm } from './delete-form.js';
import { Sentence, useTexts } from './texts.js';
import { Time } from './words.js';

interface RetrievedProps {
  push: RetrievedPushDto;
  /** Undefined without files. */
  links: Links | undefined;
  mayDelete: boolean;
}

/** The page of a push that has been opened. */
export function Retrieved({ push, links, mayDelete }: RetrievedProps) {
  const t = useTexts();
  const isLast = push.views_remaining === 0;
  return (
    <Layout title={t.text('secret.title')} script="open" isForRecipient>
      <h1>{t.text('secret.title')}</h1>
      <p class="lede" data-last-view={isLast ? '' : undefined}>
        {isLast ? (
          t.text('secret.lastView')
        ) : (
          <Sentence
            of="secret.remaining"
            views={push.views_remaining}
            time={<Time at={push.expires_at} hasWeekday />}
          />
        )}
      </p>
      <section class="card">
        {push.client_encrypted ? (
          <Encrypted push={push} links={links} />
        ) : (
          <>
            <Payload push={push} />
            {links && <DownloadLinks push={push} links={links} />}
          </>
        )}
      </section>
      {push.client_encrypted && <EndToEndSign />}
      {mayDelete && !isLast && <DeleteForm urlToken={push.url_token} />}
    </Layout>
  );
}
