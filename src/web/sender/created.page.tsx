import { Get, Param, Query } from '@nestjs/common';
import type { ComponentChildren } from 'preact';
import { PublicPage } from '../../auth/access.decorators.js';
import type { Visitor } from '../../platform/http/visitor.js';
import { CurrentVisitor } from '../../platform/http/visitor.js';
import { PushesService } from '../../pushes/push/pushes.service.js';
import { PageResponse, PageController } from '../pages/page-controller.js';
import { doneIn, UrlTokenPipe } from '../pages/paths.js';
import type { NoticeEvent } from '../../pushes/push/notice-events.js';
import type { OwnPushDto, PushDto } from '../../pushes/push/push.dto.js';
import { Layout } from '../components/layout.js';
import { LimitFacts } from '../components/limit-facts.js';
import { LinkToCopy } from '../components/copy.js';
import { ShowField } from '../components/fields.js';
import { QrCode, EmptyQrCode } from '../components/qr.js';
import { NoticeList } from '../components/notice-events.js';
import { FlashMessage, Link, Sentence, useTexts, Data, UNTRANSLATED } from '../components/site.js';
import { Time } from '../components/words.js';

/** Shows a link and its QR code to anyone who has the link: its sender, and clients, which append `/preview` to it. */
@PageController()
export class PreviewController {
  constructor(private readonly pushes: PushesService) {}

  /** Shows the link of an active push and its QR code, without counting a view. */
  @Get(['p/:url_token/preview', 'p/:url_token/r/preview'])
  @PublicPage()
  async show(
    @Param('url_token', UrlTokenPipe) urlToken: string,
    @CurrentVisitor() visitor: Visitor,
    @Query() query: Record<string, unknown>,
  ): Promise<PageResponse> {
    const described = await this.pushes.describe(urlToken, visitor);
    return new PageResponse(<Created {...described} mailed={doneIn(query, 'mailed')} />);
  }
}

interface CreatedProps {
  push: PushDto | OwnPushDto;
  isOwner: boolean;
  /** The events that the visitor may still get a mail about, as its owner. */
  notices: NoticeEvent[];
  /** The key with which a sender without an account may delete the push. */
  deleteKey?: string;
  /** How many recipients get the link by mail. */
  mailed?: number;
}

/** The link of a push, ready to be sent. Clients find the QR code by its id, `qrcode`. */
export function Created(props: CreatedProps) {
  const { push, isOwner, deleteKey, mailed = 0 } = props;
  const t = useTexts();
  return (
    <Layout title={t.text('created.title')} script="created">
      {isOwner && <FlashMessage text="mailLink.sent" count={mailed} />}
      <div data-until-ready>
        {push.client_encrypted ? <CreatedEncrypted {...props} /> : <CreatedByServer {...props} />}
        {!isOwner && <DeleteLink push={push} deleteKey={deleteKey} />}
      </div>
      <p class="actions">
        <Link to="/">{t.text('created.again')}</Link>
        {isOwner && <Link to={`/p/${push.url_token}/audit`}>{t.text('created.activity')}</Link>}
      </p>
    </Layout>
  );
}

function CreatedByServer(props: CreatedProps) {
  const { push, isOwner, deleteKey } = props;
  const t = useTexts();
  return (
    <>
      <h1>{t.text('created.title')}</h1>
      {!isOwner && deleteKey === undefined && (
        <p class="lede" data-for-others>
          {t.text('created.forOthers')}
        </p>
      )}
      <section class="card">
        <LinkToCopy url={push.html_url} />
        <KeptPassphrase />
        {push.passphrase_required && <p class="quiet">{t.text('created.passphrase')}</p>}
        <SendLink url={push.html_url}>
          <QrCode text={push.html_url} label={t.text('copy.qr')} id="qrcode" />
        </SendLink>
        <Facts {...props} />
      </section>
    </>
  );
}

function Facts({ push, isOwner, notices, deleteKey, mailed = 0 }: CreatedProps) {
  const t = useTexts();
  const isEncrypted = push.client_encrypted === true;
  const opensAfterClick = push.retrieval_step || isEncrypted || (isOwner && mailed > 0);
  return (
    <>
      <ul class="facts">
        <li data-shared hidden={isEncrypted}>
          {t.text(`kind.${push.kind}`)}
        </li>
        <li>{t.text('home.viewsChoice', { count: push.views_remaining })}</li>
        <li>
          <Sentence of="created.expires" time={<Time at={push.expires_at} format="weekday" />} />
        </li>
        <LimitFacts push={push} />
        {opensAfterClick && <li>{t.text('created.retrievalStep')}</li>}
        <WhoMayOpen push={push} />
        {push.deletable_by_viewer && <li>{t.text('created.deletable')}</li>}
        {!push.deletable_by_viewer && isOwner && <li>{t.text('created.deletableByYou')}</li>}
        {!push.deletable_by_viewer && deleteKey !== undefined && <li>{t.text('created.deletableByLink')}</li>}
        <li>{t.text(isEncrypted ? 'created.byBrowser' : 'created.byServer')}</li>
      </ul>
      <NoticeList events={notices} of="div" />
    </>
  );
}

/** Only its owner, and whoever has just created it, sees the names. */
function WhoMayOpen({ push }: Pick<CreatedProps, 'push'>) {
  const t = useTexts();
  if (!push.recipients_required) return null;
  const recipients = 'recipients' in push ? push.recipients : undefined;
  if (!recipients) return <li>{t.text('created.recipientsRequired')}</li>;
  const isOnce = 'once_per_recipient' in push;
  return (
    <li>
      <Sentence
        of={isOnce ? 'created.recipientsOnce' : 'created.recipients'}
        recipients={<Data>{t.list(recipients)}</Data>}
      />
    </li>
  );
}

/**
 * The page of a push that the browser has encrypted. The server does not know its whole link: a script completes it
 * with the fragment that this tab has kept, or shows why there is none.
 */
function CreatedEncrypted(props: CreatedProps) {
  const { html_url } = props.push;
  const t = useTexts();
  return (
    <>
      <h1 hidden data-link="whole">
        {t.text('created.title')}
      </h1>
      <div hidden data-link="incomplete">
        <NoLink {...props} />
      </div>
      <noscript>
        <NoLink {...props} />
      </noscript>
      <section class="card">
        <div hidden data-link="whole">
          <LinkToCopy url={html_url} />
          <p class="now">
            <span data-until-taken>{t.text('created.copyNow')}</span>
            <span hidden data-once-taken>
              {t.text('created.onlyHere')}
            </span>
          </p>
          <KeptPassphrase />
          <p class="quiet" hidden data-link="with passphrase">
            {t.text('created.passphrase')}
          </p>
          <SendLink url={html_url}>
            <EmptyQrCode label={t.text('copy.qr')} id="qrcode" />
          </SendLink>
        </div>
        <Facts {...props} />
      </section>
    </>
  );
}

function NoLink({ isOwner }: CreatedProps) {
  const t = useTexts();
  return (
    <>
      <h1>{t.text(isOwner ? 'endToEnd.noLinkTitle' : 'endToEnd.notYourPage')}</h1>
      <p class="lede">{t.text(isOwner ? 'endToEnd.noLink' : 'endToEnd.askForLink')}</p>
    </>
  );
}

/** The passphrase of the form, as long as this tab has it: a script shows it. */
function KeptPassphrase() {
  const t = useTexts();
  return (
    <div class="copyable" hidden data-kept-passphrase>
      <label for="passphrase">{t.text('open.passphrase')}</label>
      <div class="row">
        <input type="password" id="passphrase" readOnly autocomplete="off" {...UNTRANSLATED} />
        <ShowField field="passphrase" />
        <button type="button" class="secondary small" hidden data-copy="passphrase">
          {t.text('home.copyPassphrase')}
        </button>
      </div>
    </div>
  );
}

interface DeleteLinkProps {
  push: PushDto;
  /** The delete key. Without it the section is hidden until a script finds the key in the fragment of the page. */
  deleteKey: string | undefined;
}

/** The link with which a sender without an account may delete a push. The key is in its fragment: it is never sent. */
function DeleteLink({ push, deleteKey }: DeleteLinkProps) {
  const t = useTexts();
  const page = `${push.html_url.replace(/\/r$/, '')}/delete`;
  return (
    <details class="fold" hidden={deleteKey === undefined} data-delete-link={page}>
      <summary>{t.text('deleteLink.title')}</summary>
      <p>{t.text('deleteLink.intro')}</p>
      <div class="row">
        <input
          id="delete-link"
          aria-label={t.text('deleteLink.title')}
          readonly
          value={deleteKey === undefined ? '' : `${page}#${deleteKey}`}
          {...UNTRANSLATED}
        />
        <button type="button" class="secondary" hidden data-copy="delete-link">
          {t.text('deleteLink.copy')}
        </button>
      </div>
    </details>
  );
}

interface SendLinkProps {
  url: string;
  /** Of the mail. */
  subject?: 'created.mailSubject' | 'request.mailSubject';
  text?: 'created.mailText' | 'request.mailText';
  /** The QR code of the link. */
  children: ComponentChildren;
}

/** Ways to send a link. A mail has nothing but the link: never the passphrase. */
export function SendLink({
  url,
  subject = 'created.mailSubject',
  text = 'created.mailText',
  children,
}: SendLinkProps) {
  const t = useTexts();
  const mail = new Map([
    ['subject', t.text(subject)],
    ['body', t.text(text, { url })],
  ]);
  const query = [...mail].map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  return (
    <div class="tools send">
      <a class="button secondary small" href={`mailto:?${query}`}>
        {t.text('created.mail')}
      </a>
      <button type="button" class="secondary small" hidden data-share={url}>
        {t.text('created.share')}
      </button>
      <details>
        <summary role="button" class="secondary small">
          {t.text('kind.qr')}
        </summary>
        {children}
        <button type="button" class="link" hidden data-save-qr="qrcode">
          {t.text('created.saveQr')}
        </button>
      </details>
    </div>
  );
}
