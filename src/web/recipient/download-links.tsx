import type { FileLinks } from '../../files/files.service.js';
import type { RetrievedPushDto } from '../../pushes/push/push.dto.js';
import { useTexts } from '../components/site.js';
import { OpenForm } from './open.js';

interface DownloadLinksProps {
  push: RetrievedPushDto;
  links: FileLinks;
}

/** The files of a push. A script disables the links when they have expired, and then shows how to get new ones. */
export function DownloadLinks({ push, links: { files, sizes, archiveUrl, validUntil } }: DownloadLinksProps) {
  const t = useTexts();
  const lifetime = validUntil.getTime() - Date.now(); // clocks of readers may be wrong
  const total = sizes.reduce((sum, size) => sum + size, 0);
  return (
    <div data-links-expire-in={lifetime}>
      <h2>{t.text('secret.files')}</h2>
      <p class="hint" data-until-expired>
        {t.text('secret.filesHint')}
      </p>
      <ul class="files">
        {files.map(({ url, filename }, i) =>
          push.client_encrypted ? (
            <EncryptedFile key={url} url={url} />
          ) : (
            <li key={url}>
              <a href={url}>{filename}</a>
              <span class="quiet">{t.size(sizes[i] ?? 0)}</span>
            </li>
          ),
        )}
      </ul>
      {files.length > 1 && !push.client_encrypted && <DownloadAll url={archiveUrl()} size={total} />}
      {push.client_encrypted && <p id="links-status" role="status" />}
      <p class="error" role="alert" id="links-error" />
      <div data-once-expired hidden>
        {push.views_remaining === 0 ? <p>{t.text('secret.filesGone')}</p> : <OpenAgain push={push} />}
      </div>
    </div>
  );
}

function OpenAgain({ push }: { push: RetrievedPushDto }) {
  return (
    <>
      <p>{useTexts().text('secret.filesAgain')}</p>
      <OpenForm
        urlToken={push.url_token}
        passphraseRequired={push.passphrase_required}
        isClientEncrypted={push.client_encrypted}
      />
    </>
  );
}

/** One download of all files of a push. */
function DownloadAll({ url, size }: { url: string; size: number }) {
  const t = useTexts();
  return (
    <p class="download-all">
      <a href={url}>{t.text('secret.downloadAll')}</a>
      <span class="quiet">{t.size(size)}</span>
    </p>
  );
}

/** A link whose script decrypts what it downloads. Name and size are in what the script has decrypted before. */
function EncryptedFile({ url }: { url: string }) {
  const t = useTexts();
  return (
    <li>
      <a href={url} />
      <span class="quiet" data-size />
      <div class="upload" hidden data-upload>
        <div class="bar">
          <progress max={100} value={0} aria-label={t.text('endToEnd.progress')} />
          <span aria-hidden="true" data-percent />
        </div>
        <button type="button" class="secondary small" data-cancel>
          {t.text('endToEnd.cancel')}
        </button>
      </div>
    </li>
  );
}
