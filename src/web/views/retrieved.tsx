import { domainToUnicode } from 'node:url';
import type { RetrievedPushDto } from '../../pushes/push.dto.js';
import { DownloadAll } from './download-all.js';
import { Layout } from './layout.js';
import { fitsQrCode, QrCode } from './qr.js';
import { PostForm } from './site.js';
import { fileSize, remains } from './words.js';

export interface ShownFile {
  filename: string;
  url: string;
  size: number | undefined;
}

interface RetrievedProps {
  push: RetrievedPushDto;
  files: ShownFile[];
  /** Downloads all of them. */
  archiveUrl: string | undefined;
  mayDelete: boolean;
}

/** The page of a push that has been opened. */
export function Retrieved({ push, files, archiveUrl, mayDelete }: RetrievedProps) {
  const isLast = push.views_remaining === 0;
  return (
    <Layout title="The secret">
      <h1>The secret</h1>
      <p class="lede">
        {isLast
          ? 'This was its last view: the link does not work any more. Keep what you need.'
          : `The link is still good for ${remains(push)}.`}
      </p>
      <section class="card">
        <Payload push={push} />
        {files.length > 0 && <Files files={files} />}
        {archiveUrl !== undefined && <DownloadAll url={archiveUrl} />}
      </section>
      {mayDelete && !isLast && <Delete urlToken={push.url_token} />}
    </Layout>
  );
}

function Payload({ push: { kind, payload } }: { push: RetrievedPushDto }) {
  if (!payload) return null;
  switch (kind) {
    case 'url':
      return <Address address={payload} />;
    case 'qr':
      return <Code text={payload} />;
    default:
      return <Secret text={payload} />;
  }
}

function Secret({ text }: { text: string }) {
  return (
    <>
      <details class="secret" data-secret>
        <summary>Show the secret</summary>
        <SecretText text={text} />
      </details>
      <CopyButton />
    </>
  );
}

function SecretText({ text }: { text: string }) {
  return (
    <pre id="secret" tabIndex={0} aria-label="The secret">
      {text}
    </pre>
  );
}

function CopyButton() {
  return (
    <p class="tools">
      <button type="button" hidden data-copy="secret">
        Copy
      </button>
    </p>
  );
}

/** Never followed automatically: readers see the target first. */
function Address({ address }: { address: string }) {
  const isWebAddress = /^https?:\/\//i.test(address);
  return (
    <>
      <p>It is this address:</p>
      <SecretText text={address} />
      <Host address={address} />
      {isWebAddress && (
        <p class="tools">
          <a role="button" href={address} rel="noreferrer noopener" target="_blank">
            Go there
          </a>
          <button type="button" class="secondary" hidden data-copy="secret">
            Copy
          </button>
        </p>
      )}
    </>
  );
}

/** Shown separately, because an address can be written so that another part of it looks like the host. */
function Host({ address }: { address: string }) {
  if (!URL.canParse(address)) return null;
  const { host, hostname } = new URL(address);
  const unicode = domainToUnicode(hostname);
  return (
    <p>
      It leads to <strong>{host}</strong>
      {unicode !== '' && unicode !== hostname && (
        <>
          , which reads <bdi>{unicode}</bdi>
        </>
      )}
    </p>
  );
}

function Code({ text }: { text: string }) {
  if (!fitsQrCode(text)) return <Secret text={text} />;
  return (
    <>
      <QrCode text={text} label="The secret as a QR code" />
      <Secret text={text} />
    </>
  );
}

function Files({ files }: { files: ShownFile[] }) {
  return (
    <>
      <h2>Files</h2>
      <p class="hint">These links work for ten minutes.</p>
      <ul class="files">
        {files.map(({ filename, url, size }) => (
          <li key={url}>
            <a href={url} download>
              {filename}
            </a>
            {size !== undefined && <span class="quiet">{fileSize(size)}</span>}
          </li>
        ))}
      </ul>
    </>
  );
}

function Delete({ urlToken }: { urlToken: string }) {
  return (
    <details class="delete">
      <summary>Delete it now</summary>
      <PostForm to={`/p/${urlToken}/delete`}>
        <p>Nobody will be able to open it again, and this cannot be undone.</p>
        <button class="danger">Yes, delete it for good</button>
      </PostForm>
    </details>
  );
}
