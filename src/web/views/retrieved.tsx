import { domainToUnicode } from 'node:url';
import type { RetrievedPushDto } from '../../pushes/push.dto.js';
import type { DownloadLinks as Links } from '../open/download-links.service.js';
import { DownloadLinks } from './download-links.js';
import { Layout } from './layout.js';
import { fitsQrCode, QrCode } from './qr.js';
import { DeleteForm } from './delete-form.js';
import { Sentence, useTexts } from './texts.js';
import { Time } from './words.js';

interface RetrievedProps {
  push: RetrievedPushDto;
  /** Undefined without files. */
  links: Links | undefined;
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
        <Payload push={push} />
        {links && <DownloadLinks push={push} links={links} />}
      </section>
      {mayDelete && !isLast && <DeleteForm urlToken={push.url_token} />}
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

/** Never followed automatically: readers see the target first. */
function Address({ address }: { address: string }) {
  const t = useTexts();
  const isWebAddress = /^https?:\/\//i.test(address);
  return (
    <>
      <p>{t.text('secret.address')}</p>
      <SecretText text={address} />
      <Host address={address} />
      {isWebAddress && (
        <p class="tools">
          <a role="button" href={address} rel="noreferrer noopener" target="_blank">
            {t.text('secret.go')}
          </a>
          <button type="button" class="secondary" hidden data-copy="secret">
            {t.text('copy.button')}
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
