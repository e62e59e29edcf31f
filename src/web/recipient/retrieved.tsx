import { domainToUnicode } from 'node:url';
import type { ComponentChildren } from 'preact';
import type { RetrievedPushDto } from '../../pushes/push/push.dto.js';
import type { Translator } from '../../texts/translator.js';
import type { FileLinks } from '../../files/files.service.js';
import { DownloadLinks } from './download-links.js';
import { EndToEndSign, TextWithTime } from '../components/words.js';
import { Lede } from '../components/heading.js';
import { Layout } from '../components/layout.js';
import { Fact, Facts, OpenedLetter, UnderLetter, Wax } from '../components/letter.js';
import { Banner } from '../components/banner.js';
import { AnchorButton, Button, Buttons, SummaryButton } from '../components/button.js';
import { DeleteForm } from '../components/delete-form.js';
import { HideButton, KeyFileField, OpenedMessage, SecretBox, SecretText } from '../components/secret.js';
import { BOLD, Data, Sentence, UNTRANSLATED, useTexts } from '../components/site.js';
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
  const title = titleOf(push, links?.files.length ?? 0, t);
  const seals = (
    <>
      <Wax seal="open" data-title />
      {push.client_encrypted && push.owner_only && <Wax seal="sealed" hidden data-sealed-title />}
      {push.client_encrypted && <Wax seal="fault" hidden data-failed-title />}
    </>
  );
  return (
    <Layout title={title} script="open" isForRecipient={!push.owner_only} width="letter">
      <OpenedLetter seal={seals}>
        <h1 data-title data-sealed-title>
          {title}
        </h1>
        {push.client_encrypted && (
          <h1 hidden data-failed-title>
            {t.text('endToEnd.failedTitle')}
          </h1>
        )}
        {push.client_encrypted ? (
          <Encrypted push={push} links={links} />
        ) : (
          <>
            <Payload push={push} />
            {links && <DownloadLinks push={push} links={links} />}
          </>
        )}
        <WhatIsLeft push={push} hasFiles={hasFiles} />
      </OpenedLetter>
      <UnderLetter>
        {push.client_encrypted && (
          <div data-title data-sealed-title>
            <EndToEndSign of={push.owner_only ? 'request.encrypted' : 'endToEnd.decrypted'} />
          </div>
        )}
        {mayDelete && push.views_remaining > 0 && (
          <DeleteForm urlToken={push.url_token} files={links?.files.length} />
        )}
      </UnderLetter>
    </Layout>
  );
}

function titleOf({ owner_only: isAnswer, kind }: RetrievedPushDto, count: number, t: Translator): string {
  if (isAnswer) return t.text('answer.openTitle');
  return kind === 'file' && count > 0 ? t.text('secret.titleFiles', { count }) : t.text('secret.title');
}

/** What is left of a push after this view, and of its download links. */
function WhatIsLeft({ push, hasFiles }: { push: RetrievedPushDto; hasFiles: boolean }) {
  const t = useTexts();
  if (push.owner_only)
    return (
      <Facts>
        <Fact icon="clock">
          <TextWithTime of="answer.kept" at={push.expires_at} format="named" />
        </Fact>
      </Facts>
    );
  if (push.views_remaining === 0)
    return (
      <Facts data-until-expired={hasFiles ? '' : undefined}>
        <Fact icon="flame" isWarning data-last-view>
          <Sentence of={hasFiles ? 'secret.lastViewFiles' : 'secret.lastView'} b={BOLD} />
        </Fact>
      </Facts>
    );
  return (
    <Facts>
      {hasFiles && (
        <Fact icon="clock" data-until-expired>
          {t.text('secret.filesHint')}
        </Fact>
      )}
      <Fact icon="eye">{t.text('secret.viewsLeft', { views: push.views_remaining })}</Fact>
      <Fact icon="clock">
        <TextWithTime of="secret.expires" at={push.expires_at} format="named" />
      </Fact>
    </Facts>
  );
}

/** The secret, by its kind. */
function Payload({ push: { kind, payload, owner_only: isAnswer } }: { push: RetrievedPushDto }) {
  if (!payload) return null;
  if (isAnswer && kind === 'file') return <Secret text={payload} isBesideFiles />;
  switch (kind) {
    case 'url':
      return <WebLink url={payload} />;
    case 'qr':
      return <Code text={payload} />;
    case 'file':
      return <OpenedMessage text={payload} />;
    default:
      return <Secret text={payload} />;
  }
}

/** Where there are files, too, the one action of the page is to download them. */
function Secret({ text, isBesideFiles }: { text: string; isBesideFiles?: boolean }) {
  return (
    <SecretBox>
      <SecretText text={text} />
      <SecretTools isSecondary={isBesideFiles} />
    </SecretBox>
  );
}

/** Buttons for scripts, after the one that needs none. */
function SecretTools({ isSecondary, children }: { isSecondary?: boolean; children?: ComponentChildren }) {
  const t = useTexts();
  return (
    <Buttons isEven>
      {children}
      <Button
        type="button"
        look={isSecondary || children ? 'secondary' : 'primary'}
        size="large"
        icon="copy"
        hidden
        data-copy="secret"
      >
        {t.text('copy.button')}
      </Button>
      <HideButton />
    </Buttons>
  );
}

/** A URL, which is never followed automatically: readers see the target first. */
function WebLink({ url }: { url: string }) {
  const isHttp = /^https?:\/\//i.test(url);
  return (
    <SecretBox>
      <SecretText text={url} />
      <Host url={url} />
      <SecretTools>{isHttp && <Go url={url} />}</SecretTools>
    </SecretBox>
  );
}

function Go({ url }: { url: string }) {
  return (
    <AnchorButton look="primary" size="large" href={url} rel="noreferrer noopener" target="_blank">
      {useTexts().text('secret.go')}
    </AnchorButton>
  );
}

/** The host, shown separately because a URL can be written so that another part of it looks like the host. */
function Host({ url }: { url: string }) {
  if (!URL.canParse(url)) return null;
  const { host, hostname } = new URL(url);
  const unicode = domainToUnicode(hostname);
  const isRewritten = unicode !== '' && unicode !== hostname;
  return (
    <p class="gap-sm" data-hideable>
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
      <div class="gap-top" data-hideable>
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
      <Lede role="status" data-decrypting>
        {t.text('endToEnd.decrypting')}
      </Lede>
      <Template of="text">
        <Secret text="" />
      </Template>
      <Template of="message">
        {push.owner_only ? <Secret text="" isBesideFiles /> : <OpenedMessage text="" />}
      </Template>
      <Template of="url">
        <SecretBox>
          <SecretText text="" />
          <p class="gap-sm" data-hideable>
            <Sentence of="secret.host" host={<strong data-host {...UNTRANSLATED} />} />
          </p>
          <SecretTools>
            <Go url="" />
          </SecretTools>
        </SecretBox>
      </Template>
      <Template of="qr">
        <SecretBox>
          <div class="gap-top" data-hideable>
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
      <Lede>{t.text('answer.keyMissing')}</Lede>
      <KeyFileField label={t.text('answer.chooseKey')} />
      <details>
        <SummaryButton look="quiet">{t.text('answer.otherKey')}</SummaryButton>
        <p>
          <Sentence of="endToEnd.saved" command={<code {...UNTRANSLATED}>{DECRYPT_WITH_KEY}</code>} />
        </p>
        <p class="gap-sm">
          <Button type="button" size="small" icon="download" data-save-answer>
            {t.text('endToEnd.save')}
          </Button>
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
      <Banner kind="failure">
        <p role="alert" id="decrypt-error" />
      </Banner>
      <Buttons isEven>
        <Button type="button" look="primary" size="large" data-retry>
          {t.text('endToEnd.retry')}
        </Button>
        <Button type="button" size="large" icon="download" data-save>
          {t.text('endToEnd.save')}
        </Button>
      </Buttons>
      <p class="gap-sm">
        <Sentence of="endToEnd.saved" command={<code {...UNTRANSLATED}>{DECRYPT_SAVED}</code>} />
      </p>
      <p class="gap-sm">{t.text('endToEnd.ageAsks')}</p>
    </div>
  );
}
