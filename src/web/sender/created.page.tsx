import { Get, Param, Query } from '@nestjs/common';
import { PublicPage } from '../../auth/access.decorators.js';
import type { Visitor } from '../../platform/http/visitor.js';
import { CurrentVisitor } from '../../platform/http/visitor.js';
import { PushesService } from '../../pushes/push/pushes.service.js';
import { VisitsService } from '../../pushes/retrieve/visits.service.js';
import { PageResponse, PageController } from '../pages/page-controller.js';
import { doneIn, UrlTokenPipe } from '../pages/paths.js';
import type { NoticeEvent } from '../../pushes/push/notice-events.js';
import type { OwnPushDto, PushDto } from '../../pushes/push/push.dto.js';
import { Banner } from '../components/banner.js';
import { LinkButton } from '../components/button.js';
import { DeleteForm } from '../components/delete-form.js';
import { Lede } from '../components/heading.js';
import { Layout } from '../components/layout.js';
import { Fact, Facts, Letter, Rule, StripFold, Wax } from '../components/letter.js';
import { LimitFacts } from '../components/limit-facts.js';
import { CopyField, CopyNow, LinkToCopy, PassphraseToCopy } from '../components/copy.js';
import { QrCode, EmptyQrCode } from '../components/qr.js';
import { NoticeFact } from '../components/notice-events.js';
import { SendLink } from '../components/send-link.js';
import { BOLD, Data, FlashMessage, Sentence, useTexts } from '../components/site.js';
import { KIND_ICONS, Time } from '../components/words.js';

/** Shows a link and its QR code to anyone who has the link: its sender, and clients, which append `/preview` to it. */
@PageController()
export class PreviewController {
  constructor(
    private readonly pushes: PushesService,
    private readonly visits: VisitsService,
  ) {}

  /** Shows the link of an active push and its QR code, without counting a view. */
  @Get(['p/:url_token/preview', 'p/:url_token/r/preview'])
  @PublicPage()
  async show(
    @Param('url_token', UrlTokenPipe) urlToken: string,
    @CurrentVisitor() visitor: Visitor,
    @Query() query: Record<string, unknown>,
  ): Promise<PageResponse> {
    const described = await this.pushes.describe(urlToken, visitor);
    const mailed = doneIn(query, 'mailed');
    const wasMailed = described.isOwner && (await this.visits.wasLinkMailed(urlToken, visitor));
    return new PageResponse(<Created {...described} mailed={mailed} wasMailed={wasMailed} />);
  }
}

interface CreatedProps {
  push: PushDto | OwnPushDto;
  isOwner: boolean;
  /** The events that the visitor may still get a mail about, as its owner. */
  notices: NoticeEvent[];
  /** The key with which a sender without an account may delete the push. */
  deleteKey?: string;
  /** How many recipients get the link by mail because the form was just sent. */
  mailed?: number;
  /** Whether anybody got the link by mail from here. */
  wasMailed?: boolean;
}

/** The link of a push, ready to be sent. Clients find the QR code by its id, `qrcode`. */
export function Created({ wasMailed, ...props }: CreatedProps) {
  const { push, isOwner, mailed = 0 } = props;
  const t = useTexts();
  const shown = { ...props, wasMailed: wasMailed ?? mailed > 0 };
  return (
    <Layout
      title={t.text('created.title')}
      script="created"
      // a browser extension takes the first SVG of the page for the QR code
      forPrograms={push.client_encrypted || <QrCode text={push.html_url} label={t.text('copy.qr')} />}
    >
      {isOwner && <FlashMessage text="mailLink.sent" count={mailed} />}
      <div data-until-ready>
        {push.client_encrypted ? <CreatedEncrypted {...shown} /> : <CreatedByServer {...shown} />}
      </div>
      <p class="gap-top">
        <LinkButton to="/" icon="plus">
          {t.text('created.again')}
        </LinkButton>
      </p>
    </Layout>
  );
}

function CreatedByServer(props: CreatedProps) {
  const { push, isOwner, deleteKey } = props;
  const t = useTexts();
  return (
    <Letter seal="done" title={t.text('created.title')} strip={<Strip {...props} />} isReady>
      {!isOwner && deleteKey === undefined && <Lede data-for-others>{t.text('created.forOthers')}</Lede>}
      <NobodyMailed {...props} />
      <LinkToCopy url={push.html_url} look="primary" />
      <SendLink url={push.html_url}>
        <QrCode text={push.html_url} label={t.text('copy.qr')} id="qrcode" />
      </SendLink>
      <Rule />
      <KeptPassphrase />
      <WhatHolds {...props} />
    </Letter>
  );
}

/** Who is named and got no mail would wait for one. */
function NobodyMailed({ push, wasMailed = false }: CreatedProps) {
  const t = useTexts();
  if (!('recipients' in push) || !push.recipients || wasMailed) return null;
  return (
    <Banner icon="mail">
      <Sentence of="created.nobodyMailed" b={BOLD} recipients={<Data>{t.list(push.recipients)}</Data>} />
    </Banner>
  );
}

/** What is true of the push, a line each. */
function WhatHolds({ push, isOwner, notices, wasMailed }: CreatedProps) {
  const t = useTexts();
  const isEncrypted = push.client_encrypted === true;
  const opensAfterClick = !isEncrypted && (push.retrieval_step || (isOwner && wasMailed)); // as all that is encrypted
  return (
    <Facts>
      <Fact icon={KIND_ICONS[push.kind]} data-shared hidden={isEncrypted}>
        {t.text(`kind.${push.kind}`)}
      </Fact>
      {(push.passphrase_required || isEncrypted) && (
        <Fact icon="key" hidden={isEncrypted} data-passphrase-to-send>
          {t.text('created.passphrase')}
        </Fact>
      )}
      <Fact icon="clock">
        <Sentence
          of="created.ends"
          views={push.views_remaining}
          time={<Time at={push.expires_at} format="named" />}
        />
      </Fact>
      <LimitFacts push={push} />
      <WhoMayOpen push={push} wasMailed={wasMailed} />
      {opensAfterClick && <Fact icon="browser">{t.text('created.retrievalStep')}</Fact>}
      {push.deletable_by_viewer && <Fact icon="trash">{t.text('created.deletable')}</Fact>}
      <Fact icon={isEncrypted ? 'lock' : 'server'}>
        {isEncrypted ? <ByBrowser isOwner={isOwner} /> : t.text('created.byServer')}
      </Fact>
      <NoticeFact events={notices} />
    </Facts>
  );
}

/** Whose browser has encrypted it: a script knows a sender without an account by the key. */
function ByBrowser({ isOwner }: Pick<CreatedProps, 'isOwner'>) {
  const t = useTexts();
  if (isOwner) return <>{t.text('created.byBrowser')}</>;
  return (
    <>
      <span hidden data-link="whole">
        {t.text('created.byBrowser')}
      </span>
      <span hidden data-link="incomplete">
        {t.text('created.bySendersBrowser')}
      </span>
      <noscript>{t.text('created.bySendersBrowser')}</noscript>
    </>
  );
}

/** Only its owner, and whoever has just created it, sees the names; `NobodyMailed` has them already. */
function WhoMayOpen({ push, wasMailed = false }: Pick<CreatedProps, 'push' | 'wasMailed'>) {
  const t = useTexts();
  if (!push.recipients_required) return null;
  const recipients = 'recipients' in push ? push.recipients : undefined;
  const isOnce = 'once_per_recipient' in push;
  if (!recipients) return <Fact icon="people">{t.text('created.recipientsRequired')}</Fact>;
  if (!wasMailed) return isOnce ? <Fact icon="people">{t.text('home.oncePerRecipient')}</Fact> : null;
  return (
    <Fact icon="people">
      <Sentence
        of={isOnce ? 'created.recipientsOnce' : 'created.recipients'}
        recipients={<Data>{t.list(recipients)}</Data>}
      />
    </Fact>
  );
}

/**
 * The page of a push that the browser has encrypted. The server does not know its whole link: a script completes it
 * with the fragment that this tab has kept, or shows why there is none.
 */
function CreatedEncrypted(props: CreatedProps) {
  const { html_url } = props.push;
  const t = useTexts();
  const seals = (
    <>
      <Wax seal="done" hidden data-link="whole" />
      <Wax seal="fault" hidden data-link="incomplete" />
      <noscript>
        <Wax seal="fault" />
      </noscript>
    </>
  );
  return (
    <Letter seal={seals} strip={<Strip {...props} />} isReady>
      <h1 hidden data-link="whole">
        {t.text('created.title')}
      </h1>
      <div hidden data-link="incomplete">
        <NoLink {...props} />
      </div>
      <noscript>
        <NoLink {...props} />
      </noscript>
      <div hidden data-link="whole">
        <NobodyMailed {...props} />
        <LinkToCopy url={html_url} look="primary" />
        <CopyNow text="created.copyNow" then="created.onlyHere" />
        <SendLink url={html_url}>
          <EmptyQrCode label={t.text('copy.qr')} id="qrcode" />
        </SendLink>
      </div>
      <Rule />
      <KeptPassphrase />
      <WhatHolds {...props} />
    </Letter>
  );
}

function NoLink({ isOwner }: CreatedProps) {
  const t = useTexts();
  return (
    <>
      <h1>{t.text(isOwner ? 'endToEnd.noLinkTitle' : 'endToEnd.notYourPage')}</h1>
      <Lede>{t.text(isOwner ? 'endToEnd.noLink' : 'endToEnd.askForLink')}</Lede>
    </>
  );
}

/** The passphrase of the form, as long as this tab has it: a script shows it. */
function KeptPassphrase() {
  return (
    <div hidden data-kept-passphrase>
      <PassphraseToCopy />
      <Rule />
    </div>
  );
}

/** What can be done with the push later. A script shows it if it has the delete key. */
function Strip({ push, isOwner, deleteKey }: CreatedProps) {
  const t = useTexts();
  const { url_token: urlToken } = push;
  if (isOwner)
    return (
      <>
        <DeleteForm urlToken={urlToken} />
        <LinkButton look="quiet" icon="pulse" to={`/p/${urlToken}/audit`}>
          {t.text('created.activity')}
        </LinkButton>
      </>
    );
  return (
    <>
      <DeleteForm urlToken={urlToken} deleteKey={deleteKey ?? ''} />
      <DeleteLink push={push} deleteKey={deleteKey} />
    </>
  );
}

interface DeleteLinkProps {
  push: PushDto;
  /** The delete key. Without it the link is hidden until a script finds the key in the fragment of the page. */
  deleteKey: string | undefined;
}

/** The link with which a sender without an account may delete a push. The key is in its fragment: it is never sent. */
function DeleteLink({ push, deleteKey }: DeleteLinkProps) {
  const t = useTexts();
  const page = `${push.html_url.replace(/\/r$/, '')}/delete`;
  return (
    <StripFold
      icon="key"
      title={t.text('deleteLink.title')}
      hidden={deleteKey === undefined}
      data-delete-link={page}
    >
      <p>{t.text('deleteLink.intro')}</p>
      <CopyField
        id="delete-link"
        label={t.text('deleteLink.label')}
        copyLabel={t.text('deleteLink.copy')}
        value={deleteKey === undefined ? '' : `${page}#${deleteKey}`}
      />
    </StripFold>
  );
}
