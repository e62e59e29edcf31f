import type { RetrievedPushDto } from '../../pushes/push/push.dto.js';
import type { DownloadLinks as Links, LinkedFile } from './linked-files.js';
import { DownloadAll } from './download-all.js';
import { EncryptedFile } from './end-to-end/encrypted-file.js';
import { OpenForm } from './open-form.js';
import { useTexts } from './texts.js';

interface DownloadLinksProps {
  push: RetrievedPushDto;
  links: Links;
}

/** The files of a push. A script disables the links when they have expired, and then shows how to get new ones. */
export function DownloadLinks({ push, links: { files, archiveUrl, lifetime } }: DownloadLinksProps) {
  const t = useTexts();
  const total = files.reduce((sum, { size = 0 }) => sum + size, 0);
  return (
    <div data-links-expire-in={lifetime}>
      <h2>{t.text('secret.files')}</h2>
      <p class="hint" data-until-expired>
        {t.text('secret.filesHint')}
      </p>
      <ul class="files">
        {files.map((file) =>
          push.client_encrypted ? (
            <EncryptedFile key={file.url} url={file.url} />
          ) : (
            <LinkedFileItem key={file.url} file={file} />
          ),
        )}
      </ul>
      {archiveUrl !== undefined && !push.client_encrypted && <DownloadAll url={archiveUrl} size={total} />}
      {push.client_encrypted && <p id="links-status" role="status" />}
      <p class="error" role="alert" id="links-error" />
      <div data-once-expired hidden>
        {push.views_remaining === 0 ? <p>{t.text('secret.filesGone')}</p> : <OpenAgain push={push} />}
      </div>
    </div>
  );
}

function LinkedFileItem({ file: { filename, url, size } }: { file: LinkedFile }) {
  return (
    <li>
      <a href={url}>{filename}</a>
      {size !== undefined && <span class="quiet">{useTexts().size(size)}</span>}
    </li>
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
