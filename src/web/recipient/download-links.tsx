import type { FileLinks } from '../../files/files.service.js';
import type { RetrievedPushDto } from '../../pushes/push/push.dto.js';
import { Progress } from '../components/progress.js';
import { Download, DownloadButton, Downloads } from '../components/downloads.js';
import { Banner } from '../components/banner.js';
import { BOLD, Sentence, UNTRANSLATED, useTexts } from '../components/site.js';
import { ErrorPlace, StatusPlace } from '../components/status.js';
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
  const isFirst = push.kind === 'file'; // otherwise that is to copy the secret, or to go where it leads
  const [only] = files.length === 1 ? files : [];
  const rows = files.map(({ url, filename }, i) => ({
    name: isDecrypted ? undefined : filename,
    size: isDecrypted ? undefined : t.size(sizes[i] ?? 0),
    url: only ? undefined : url,
    key: url,
  }));
  return (
    <div class="gap-top" data-links-expire-in={lifetime}>
      <div data-download={only ? '' : undefined}>
        <Downloads>
          {rows.map(({ key, ...row }) => (
            <Download key={key} {...row}>
              {isDecrypted && !only && <Progress label={t.text('endToEnd.progress')} />}
            </Download>
          ))}
        </Downloads>
        {only && (
          <div class="gap-sm">
            <DownloadButton url={only.url} isFirst={isFirst}>
              {t.text('secret.download')}{' '}
              <span class="visually-hidden" data-name {...UNTRANSLATED}>
                {isDecrypted ? undefined : only.filename}
              </span>
            </DownloadButton>
            {isDecrypted && <Progress label={t.text('endToEnd.progress')} />}
          </div>
        )}
      </div>
      {!only && (
        <div class="gap-sm" data-download-all>
          <DownloadButton url={archiveUrl()} isFirst={isFirst}>
            <Sentence
              of="secret.downloadAll"
              size={<span data-size>{isDecrypted ? undefined : t.size(total)}</span>}
            />
          </DownloadButton>
          {isDecrypted && <Progress label={t.text('endToEnd.progress')} />}
        </div>
      )}
      <MissingFiles count={missing.length} names={missing} />
      {isDecrypted && (
        <StatusPlace
          id="links-status"
          data-passed-on={t.text('secret.passedOn', { name: NAME })}
          data-large-passed-on={t.text('secret.largePassedOn', { name: NAME })}
        />
      )}
      <ErrorPlace id="links-error" />
      <div role="alert">
        <Banner kind="failure" hidden data-once-expired>
          <Sentence
            of={isLast ? 'secret.filesGone' : isForHolder ? 'secret.filesWithCode' : 'secret.filesAgain'}
            b={BOLD}
          />
          {isDecrypted && (
            <p hidden data-once-kept>
              {t.text('secret.linksExpiredButKept')}
            </p>
          )}
        </Banner>
      </div>
      {!isLast && !isForHolder && (
        <div hidden data-once-expired>
          <OpenForm
            urlToken={push.url_token}
            passphraseRequired={push.passphrase_required}
            isClientEncrypted={isDecrypted && !push.owner_only}
            isFree={push.owner_only}
          />
        </div>
      )}
    </div>
  );
}
