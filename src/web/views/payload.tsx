import { domainToUnicode } from 'node:url';
import type { RetrievedPushDto } from '../../pushes/push/push.dto.js';
import { fitsQrCode, QrCode } from './qr.js';
import { Sentence, useTexts } from './texts.js';

/** The secret, by its kind. */
export function Payload({ push: { kind, payload } }: { push: RetrievedPushDto }) {
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

export function Secret({ text }: { text: string }) {
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

export function SecretText({ text }: { text: string }) {
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

export function UrlTools({ url }: { url: string }) {
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
