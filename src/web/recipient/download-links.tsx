import { Injectable } from '@nestjs/common';
import { ArchivesService } from '../../files/archives.service.js';
import type { Download } from '../../files/downloads.service.js';
import { DownloadsService } from '../../files/downloads.service.js';
import type { FileLinkDto } from '../../files/file-link.dto.js';
import type { RetrievedPushDto } from '../../pushes/push/push.dto.js';
import { OpenForm } from './open.js';
import { useTexts } from '../components/site.js';

@Injectable()
export class LinkedFilesService {
  constructor(
    private readonly downloads: DownloadsService,
    private readonly archives: ArchivesService,
  ) {}

  /** The files to which the links of a retrieval give access. */
  async describe(links: FileLinkDto[], baseUrl: string, now = new Date()): Promise<FileLinks> {
    const found = await Promise.all(links.map(({ url }) => this.find(url, now)));
    const ends = found.map((download) => download?.ticket.validUntil.getTime() ?? now.getTime());
    return {
      files: links.map(({ filename, url }, i) => ({ filename, url, size: found[i]?.file.size })),
      archiveUrl: await this.archiveOf(links, baseUrl, now),
      lifetime: Math.min(...ends) - now.getTime(),
    };
  }

  private find(url: string, now: Date): Promise<Download | undefined> {
    return this.downloads.find(ticketIn(url), now).catch(() => undefined);
  }

  private async archiveOf(
    [first, second]: FileLinkDto[],
    baseUrl: string,
    now: Date,
  ): Promise<string | undefined> {
    if (!first || !second) return undefined;
    return this.archives.linkToAll(ticketIn(first.url), baseUrl, now).catch(() => undefined);
  }
}

function ticketIn(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1);
}

interface LinkedFile {
  filename: string;
  url: string;
  /** Size in bytes; undefined when the file has been deleted in the meantime. */
  size: number | undefined;
}

/** What the page of an opened push shows of its files. */
export interface FileLinks {
  files: LinkedFile[];
  /** Downloads all of them, if there are several. */
  archiveUrl: string | undefined;
  /** How many milliseconds the links still work. Clocks of readers may be wrong, so it is not a time. */
  lifetime: number;
}

interface DownloadLinksProps {
  push: RetrievedPushDto;
  links: FileLinks;
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
