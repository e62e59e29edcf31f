import type { FileLinks } from '../../files/files.service.js';
import type { RetrievedPushDto } from '../../pushes/push/push.dto.js';
import { Progress } from '../components/progress.js';
import { useTexts, Data, UNTRANSLATED } from '../components/site.js';
import { MissingFiles } from '../components/words.js';
import { OpenForm } from './open-form.js';

interface DownloadLinksProps {
  push: RetrievedPushDto;
  links: FileLinks;
}

/** What a script replaces by the name of a file. These texts are only here: all pages have those of scripts. */
const NAME = '{name}';

/** The files of a push. A script disables the links when they have expired, and then shows how to get new ones. */
export function DownloadLinks({
  push,
  links: { files, missing, sizes, archiveUrl, validUntil, isForHolder },
}: DownloadLinksProps) {
  const t = useTexts();
  if (files.length === 0) return <MissingFiles count={missing.length} names={missing} />;
  const lifetime = validUntil.getTime() - Date.now(); // clocks of readers may be wrong
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const isLast = push.views_remaining === 0;
  const isDecrypted = push.client_encrypted === true;
  return (
    <div data-links-expire-in={lifetime}>
      <h2>{t.text('secret.files')}</h2>
      {!isLast && (
        <p class="hint" data-until-expired>
          {t.text('secret.filesHint')}
        </p>
      )}
      <ul class="files downloads">
        {files.map(({ url, filename }, i) =>
          isDecrypted ? (
            <FileToDecrypt key={url} url={url} />
          ) : (
            <li key={url}>
              <span class="name">
                <Data>{filename}</Data>
              </span>
              <span class="quiet">{t.size(sizes[i] ?? 0)}</span>
              <Download url={url} name={filename} />
            </li>
          ),
        )}
      </ul>
      {files.length > 1 && (
        <DownloadAll url={archiveUrl()} size={isDecrypted ? undefined : total} isDecrypted={isDecrypted} />
      )}
      <MissingFiles count={missing.length} names={missing} />
      {isDecrypted && (
        <p
          id="links-status"
          role="status"
          data-passed-on={t.text('secret.passedOn', { name: NAME })}
          data-large-passed-on={t.text('secret.largePassedOn', { name: NAME })}
        />
      )}
      <p
        class="error"
        role="alert"
        id="links-error"
        data-expired-but-kept={isDecrypted ? t.text('secret.linksExpiredButKept') : undefined}
      />
      <div data-once-expired hidden>
        {isLast ? <p>{t.text('secret.filesGone')}</p> : <OpenAgain push={push} isWithCode={isForHolder} />}
      </div>
    </div>
  );
}

/** Who does not see in which row it is hears the name of the file. */
function Download({ url, name }: { url: string; name?: string }) {
  return (
    <a class="button secondary small" href={url}>
      {useTexts().text('secret.download')}{' '}
      <span class="visually-hidden" data-name {...UNTRANSLATED}>
        {name}
      </span>
    </a>
  );
}

function OpenAgain({ push, isWithCode }: { push: RetrievedPushDto; isWithCode: boolean }) {
  const t = useTexts();
  if (isWithCode) return <p>{t.text('secret.filesWithCode')}</p>;
  return (
    <>
      <p>{t.text('secret.filesAgain')}</p>
      <OpenForm
        urlToken={push.url_token}
        passphraseRequired={push.passphrase_required}
        isClientEncrypted={push.client_encrypted && !push.owner_only}
        isFree={push.owner_only}
      />
    </>
  );
}

interface DownloadAllProps {
  url: string;
  size: number | undefined;
  isDecrypted: boolean;
}

/** One download of all files of a push. */
function DownloadAll({ url, size, isDecrypted }: DownloadAllProps) {
  const t = useTexts();
  return (
    <div class="download-all">
      <span class="quiet" data-size>
        {size !== undefined && t.size(size)}
      </span>
      <a class="button small" href={url}>
        {t.text('secret.downloadAll')}
      </a>
      {isDecrypted && <Progress label={t.text('endToEnd.progress')} />}
    </div>
  );
}

/** A link whose script decrypts what it downloads. Name and size are in what the script has decrypted before. */
function FileToDecrypt({ url }: { url: string }) {
  return (
    <li>
      <span class="name" data-name {...UNTRANSLATED} />
      <span class="quiet" data-size />
      <Download url={url} />
      <Progress label={useTexts().text('endToEnd.progress')} />
    </li>
  );
}
