import type { ComponentChildren } from 'preact';
import type { RetrievedPushDto } from '../../../pushes/push/push.dto.js';
import type { DownloadLinks as Links } from '../linked-files.js';
import { DownloadLinks } from '../download-links.js';
import { UrlTools, Secret, SecretText } from '../payload.js';
import { EmptyQrCode } from '../qr.js';
import { Sentence, useTexts } from '../texts.js';

const DECRYPT_SAVED = 'age -d secret.age';

interface EncryptedProps {
  push: RetrievedPushDto;
  links: Links | undefined;
}

/**
 * What the server has of an end-to-end encrypted push. A script decrypts it, and shows it with one of the templates.
 */
export function Encrypted({ push, links }: EncryptedProps) {
  const t = useTexts();
  return (
    <div data-encrypted>
      <p role="status" data-decrypting>
        {t.text('endToEnd.decrypting')}
      </p>
      <Template of="text">
        <Secret text="" />
      </Template>
      <Template of="url">
        <p>{t.text('secret.address')}</p>
        <SecretText text="" />
        <p>
          <Sentence of="secret.host" host={<strong data-host />} />
        </p>
        <UrlTools url="" />
      </Template>
      <Template of="qr">
        <EmptyQrCode label={t.text('secret.qr')} />
        <Secret text="" />
      </Template>
      <div data-content />
      {links && (
        <div hidden data-encrypted-files>
          <DownloadLinks push={push} links={links} />
        </div>
      )}
      <NotDecrypted />
      <pre id="encrypted" hidden>
        {push.payload}
      </pre>
    </div>
  );
}

/** A template that the script fills in if the secret is of this kind. */
function Template({ of, children }: { of: string; children: ComponentChildren }) {
  return <template data-template={of}>{children}</template>;
}

/** The view has been counted, so the content of this page cannot be retrieved again. */
function NotDecrypted() {
  const t = useTexts();
  return (
    <div hidden data-not-decrypted>
      <p class="error" role="alert" id="decrypt-error" />
      <p class="tools">
        <button type="button" data-retry>
          {t.text('endToEnd.retry')}
        </button>
        <button type="button" class="secondary" data-save>
          {t.text('endToEnd.save')}
        </button>
      </p>
      <p>
        <Sentence of="endToEnd.saved" command={<code>{DECRYPT_SAVED}</code>} />
      </p>
      <p>{t.text('endToEnd.ageAsks')}</p>
    </div>
  );
}
