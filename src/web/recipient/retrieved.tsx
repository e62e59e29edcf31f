import { domainToUnicode } from 'node:url';
import type { ComponentChildren } from 'preact';
import type { RetrievedPushDto } from '../../pushes/push/push.dto.js';
import type { FileLinks } from '../../files/files.service.js';
import { DownloadLinks } from './download-links.js';
import { EncryptedAnswer, EndToEndSign, Time } from '../components/words.js';
import { Layout } from '../components/layout.js';
import { DeleteForm } from '../components/delete-form.js';
import { Sentence, useTexts, Data, UNTRANSLATED } from '../components/site.js';
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
  const hasFiles = links !== undefined && links.files.length > 0;
  return (
    <Layout title={t.text('secret.title')} script="open" isForRecipient={!push.owner_only}>
      <div class="recipient">
        <h1 data-title>{t.text(push.owner_only ? 'answer.openTitle' : 'secret.title')}</h1>
        {push.client_encrypted && (
          <h1 class="fault" hidden data-failed-title>
            {t.text('endToEnd.failedTitle')}
          </h1>
        )}
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
        {push.owner_only ? (
          <p class="lede">
            <Sentence of="answer.kept" time={<Time at={push.expires_at} format="weekday" />} />
          </p>
        ) : (
          <WhatIsLeft push={push} hasFiles={hasFiles} />
        )}
        {mayDelete && push.views_remaining > 0 && (
          <DeleteForm urlToken={push.url_token} hasFiles={hasFiles} />
        )}
        {push.client_encrypted && (push.owner_only ? <EncryptedAnswer /> : <EndToEndSign />)}
      </div>
    </Layout>
  );
}

/** What is left of a push after this view. */
function WhatIsLeft({ push, hasFiles }: { push: RetrievedPushDto; hasFiles: boolean }) {
  const t = useTexts();
  if (push.views_remaining > 0) {
    const time = <Time at={push.expires_at} format="weekday" />;
    return (
      <p class="lede">
        <Sentence of="secret.remaining" views={push.views_remaining} time={time} />
      </p>
    );
  }
  return (
    <p class="lede" data-last-view>
      {t.text(hasFiles ? 'secret.lastViewFiles' : 'secret.lastView')}
    </p>
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
    <SecretBox>
      <SecretText text={text} />
      <SecretTools />
    </SecretBox>
  );
}

/** What a script hides as long as the reader wants it: all with `data-hideable`. */
function SecretBox({ children }: { children: ComponentChildren }) {
  return (
    <div class="secret" data-secret>
      {children}
    </div>
  );
}

function SecretText({ text }: { text: string }) {
  return (
    <>
      <pre
        id="secret"
        tabIndex={0}
        aria-label={useTexts().text('secret.label')}
        data-hideable
        {...UNTRANSLATED}
      >
        {text}
      </pre>
      <p class="dots" hidden aria-hidden="true" data-dots>
        {DOTS}
      </p>
    </>
  );
}

/** As many for every secret. */
const DOTS = '•'.repeat(12);

/** Buttons for scripts, after those that need none. */
function SecretTools({ children }: { children?: ComponentChildren }) {
  const t = useTexts();
  return (
    <p class="tools">
      {children}
      <button type="button" class={children ? 'secondary' : undefined} hidden data-copy="secret">
        {t.text('copy.button')}
      </button>
      <button
        type="button"
        class="secondary"
        hidden
        aria-controls="secret"
        data-hide
        data-label-show={t.text('secret.show')}
        data-label-hide={t.text('secret.hide')}
      >
        {t.text('secret.hide')}
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
      <SecretBox>
        <SecretText text={url} />
        <Host url={url} />
        <SecretTools>{isHttp && <Go url={url} />}</SecretTools>
      </SecretBox>
    </>
  );
}

function Go({ url }: { url: string }) {
  return (
    <a role="button" href={url} rel="noreferrer noopener" target="_blank">
      {useTexts().text('secret.go')}
    </a>
  );
}

/** The host, shown separately because a URL can be written so that another part of it looks like the host. */
function Host({ url }: { url: string }) {
  if (!URL.canParse(url)) return null;
  const { host, hostname } = new URL(url);
  const unicode = domainToUnicode(hostname);
  const isRewritten = unicode !== '' && unicode !== hostname;
  return (
    <p data-hideable>
      <Sentence
        of={isRewritten ? 'secret.hostUnicode' : 'secret.host'}
        host={
          <strong>
            <Data>{host}</Data>
          </strong>
        }
        name={<Data>{unicode}</Data>}
      />
    </p>
  );
}

function Code({ text }: { text: string }) {
  const t = useTexts();
  if (!fitsQrCode(text)) return <Secret text={text} />;
  return (
    <SecretBox>
      <div class="code" data-hideable>
        <QrCode text={text} label={t.text('secret.qr')} />
      </div>
      <SecretText text={text} />
      <SecretTools />
    </SecretBox>
  );
}

const DECRYPT_SAVED = 'age -d secret.age';
const DECRYPT_WITH_KEY = 'age -d -i key.txt secret.age';

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
        <SecretBox>
          <SecretText text="" />
          <p data-hideable>
            <Sentence of="secret.host" host={<strong data-host {...UNTRANSLATED} />} />
          </p>
          <SecretTools>
            <Go url="" />
          </SecretTools>
        </SecretBox>
      </Template>
      <Template of="qr">
        <SecretBox>
          <div class="code" data-hideable>
            <EmptyQrCode label={t.text('secret.qr')} />
          </div>
          <SecretText text="" />
          <SecretTools />
        </SecretBox>
      </Template>
      <div data-content />
      {links && (
        <div hidden data-encrypted-files>
          <DownloadLinks push={push} links={links} />
        </div>
      )}
      {push.owner_only && <KeyMissing />}
      <NotDecrypted />
      <pre id="encrypted" hidden {...UNTRANSLATED}>
        {push.payload}
      </pre>
    </div>
  );
}

/** A template that the script fills in if the secret is of this kind. */
function Template({ of, children }: { of: string; children: ComponentChildren }) {
  return <template data-template={of}>{children}</template>;
}

/** Asks for the key file where the browser has no key that opens the answer. */
function KeyMissing() {
  const t = useTexts();
  return (
    <div hidden data-key-missing>
      <p>{t.text('answer.keyMissing')}</p>
      <p class="error" role="alert" data-key-error />
      <div class="field">
        <label for="key-file">{t.text('answer.chooseKey')}</label>
        <input type="file" id="key-file" data-key-file />
      </div>
      <details>
        <summary>{t.text('answer.otherKey')}</summary>
        <p>
          <Sentence of="endToEnd.saved" command={<code {...UNTRANSLATED}>{DECRYPT_WITH_KEY}</code>} />
        </p>
        <p class="tools">
          <button type="button" class="secondary small" data-save-answer>
            {t.text('endToEnd.save')}
          </button>
        </p>
      </details>
    </div>
  );
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
        <Sentence of="endToEnd.saved" command={<code {...UNTRANSLATED}>{DECRYPT_SAVED}</code>} />
      </p>
      <p>{t.text('endToEnd.ageAsks')}</p>
    </div>
  );
}
