import { domainToUnicode } from 'node:url';
import type { ComponentChildren } from 'preact';
import type { RetrievedPushDto } from '../../pushes/push/push.dto.js';
import type { FileLinks } from '../../files/files.service.js';
import { DownloadLinks } from './download-links.js';
import { EndToEndSign, Time } from '../components/words.js';
import { Layout } from '../components/layout.js';
import { DeleteForm } from '../components/delete-form.js';
import { Sentence, useTexts } from '../components/site.js';
import { fitsQrCode, QrCode, EmptyQrCode } from '../components/qr.js';

interface RetrievedProps {
  push: RetrievedPushDto;
  /** Undefined without files. */
  links: FileLinks | undefined;
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

/** The secret, by its kind. */
function Payload({ push: { kind, payload } }: { push: RetrievedPushDto }) {
  if (!payload) return null;
  switch (kind) {
    case 'url':
      return <WebLink url={payload} />;
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
        <summary>{useTexts().text('secret.show')}</summary>
        <SecretText text={text} />
      </details>
      <CopyButton />
    </>
  );
}

function SecretText({ text }: { text: string }) {
  return (
    <pre id="secret" tabIndex={0} aria-label={useTexts().text('secret.label')}>
      {text}
    </pre>
  );
}

function CopyButton() {
  return (
    <p class="tools">
      <button type="button" hidden data-copy="secret">
        {useTexts().text('copy.button')}
      </button>
    </p>
  );
}

/** A URL, which is never followed automatically: readers see the target first. */
function WebLink({ url }: { url: string }) {
  const t = useTexts();
  const isHttp = /^https?:\/\//i.test(url);
  return (
    <>
      <p>{t.text('secret.address')}</p>
      <SecretText text={url} />
      <Host url={url} />
      {isHttp && <UrlTools url={url} />}
    </>
  );
}

function UrlTools({ url }: { url: string }) {
  const t = useTexts();
  return (
    <p class="tools">
      <a role="button" href={url} rel="noreferrer noopener" target="_blank">
        {t.text('secret.go')}
      </a>
      <button type="button" class="secondary" hidden data-copy="secret">
        {t.text('copy.button')}
      </button>
    </p>
  );
}

/** The host, shown separately because a URL can be written so that another part of it looks like the host. */
function Host({ url }: { url: string }) {
  if (!URL.canParse(url)) return null;
  const { host, hostname } = new URL(url);
  const unicode = domainToUnicode(hostname);
  const isRewritten = unicode !== '' && unicode !== hostname;
  return (
    <p>
      <Sentence
        of={isRewritten ? 'secret.hostUnicode' : 'secret.host'}
        host={<strong>{host}</strong>}
        name={<bdi>{unicode}</bdi>}
      />
    </p>
  );
}

function Code({ text }: { text: string }) {
  const t = useTexts();
  if (!fitsQrCode(text)) return <Secret text={text} />;
  return (
    <>
      <QrCode text={text} label={t.text('secret.qr')} />
      <Secret text={text} />
    </>
  );
}

const DECRYPT_SAVED = 'age -d secret.age';

interface EncryptedProps {
  push: RetrievedPushDto;
  links: FileLinks | undefined;
}

/**
 * What the server has of an end-to-end encrypted push. A script decrypts it, and shows it with one of the templates.
 */
function Encrypted({ push, links }: EncryptedProps) {
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
