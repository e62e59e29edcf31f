import { Body, Get, Param, Query } from '@nestjs/common';
import type { ComponentChildren } from 'preact';
import { SignedInPage } from '../../auth/access.decorators.js';
import { QueuedByAccount } from '../../platform/limits/account-queues.js';
import { ListPage } from '../../platform/http/paging/list-page.js';
import type { Visitor } from '../../platform/http/visitor.js';
import { CurrentVisitor, VisitorPipe } from '../../platform/http/visitor.js';
import { LinkMailsService } from '../../pushes/link-mails/link-mails.service.js';
import { ChangesService } from '../../pushes/change/changes.service.js';
import { RecipientsService } from '../../pushes/recipients/recipients.service.js';
import { OwnPushesService } from '../../pushes/owner-lists/own-pushes.service.js';
import type { FormFields } from '../components/filled-form.js';
import type { ShownAgain } from '../forms/form.js';
import { PostForm } from '../forms/form.js';
import { doneIn, UrlTokenPipe, withDone } from '../pages/paths.js';
import { PageController, PageResponse, SeeOther, ReturnAfterSignIn } from '../pages/page-controller.js';
import { useForm } from '../components/filled-form.js';
import { Input } from '../components/fields.js';
import type { AuditEntry } from '../../audit/audit-entry.entity.js';
import { ALL_FILES } from '../../audit/audit-entry.entity.js';
import type { OwnLinkMail } from '../../pushes/link-mails/own-link-mail.js';
import type { OwnActivity, OwnFiles } from '../../pushes/owner-lists/own-push-list.js';
import { PushesService } from '../../pushes/push/pushes.service.js';
import { FoldedForm } from '../components/folded-form.js';
import { Shorten, shorteningIn } from './shorten.js';
import type { OwnPushDto } from '../../pushes/push/push.dto.js';
import type { TextKey } from '../../texts/text-parameters.js';
import { AuditClient } from '../components/audit-client.js';
import { Banner } from '../components/banner.js';
import { LinkButton } from '../components/button.js';
import { Card } from '../components/card.js';
import { DeleteForm } from '../components/delete-form.js';
import { BackLink, Heading } from '../components/heading.js';
import type { IconName } from '../components/icon.js';
import { DOT, MissingFiles, Time } from '../components/words.js';
import { Layout } from '../components/layout.js';
import { Fact, Facts } from '../components/letter.js';
import { LimitFacts } from '../components/limit-facts.js';
import { LinkToCopy } from '../components/copy.js';
import {
  DeletionNotice,
  isKindKnown,
  isLinkKnown,
  kindIconOf,
  NameOf,
  OpenedPhrase,
  PastEnd,
  State,
} from './own-list.js';
import { PagesOfList } from '../components/pages-of-list.js';
import { NoticeFact } from '../components/notice-events.js';
import { Lines, Split } from '../components/split.js';
import { Status } from '../components/table.js';
import type { EventKind } from '../components/timeline.js';
import { Timeline, TimelineDay, TimelineEvent } from '../components/timeline.js';
import { Recipients } from './recipients.js';
import { FlashMessage, Sentence, useSite, useTexts, Data, UNTRANSLATED } from '../components/site.js';

const FORM: ShownAgain<ActivityController> = {
  again: (page, { request }) => page.view(String(request.params.url_token), page.visitors.transform(request)),
};

/** What happened to a push of the user, who may have its link sent by mail. */
@PageController()
export class ActivityController {
  constructor(
    private readonly ownPushes: OwnPushesService,
    private readonly pushes: PushesService,
    private readonly linkMails: LinkMailsService,
    private readonly changes: ChangesService,
    private readonly recipients: RecipientsService,
    readonly visitors: VisitorPipe,
  ) {}

  @Get('p/:url_token/audit')
  @ReturnAfterSignIn()
  @QueuedByAccount()
  @SignedInPage()
  async showAudit(
    @Param('url_token', UrlTokenPipe) urlToken: string,
    @CurrentVisitor() visitor: Visitor,
    @Query() query: Record<string, unknown>,
  ): Promise<PageResponse> {
    const shown = { mailed: doneIn(query, 'mailed'), isDeleted: query.done === 'deleted' };
    return new PageResponse(await this.view(urlToken, visitor, shown, query.page));
  }

  @PostForm('p/:url_token/notify_emails', FORM)
  @SignedInPage()
  async send(
    @Param('url_token', UrlTokenPipe) urlToken: string,
    @CurrentVisitor() visitor: Visitor,
    @Body() fields: FormFields,
  ): Promise<SeeOther> {
    const mails = await this.linkMails.send(urlToken, fields, visitor, { isFromPage: true });
    return new SeeOther(withDone(`/p/${urlToken}/audit`, 'mailed', { count: mails }));
  }

  @PostForm('p/:url_token/recipients', FORM)
  @SignedInPage()
  async changeRecipients(
    @Param('url_token', UrlTokenPipe) urlToken: string,
    @CurrentVisitor() visitor: Visitor,
    @Body() { add, remove }: FormFields,
  ): Promise<SeeOther> {
    await this.recipients.change(urlToken, { add, remove }, visitor);
    return new SeeOther(`/p/${urlToken}/audit`);
  }

  /** Lets others open what only its owner could open. */
  @PostForm('p/:url_token/share')
  @SignedInPage()
  async share(
    @Param('url_token', UrlTokenPipe) urlToken: string,
    @CurrentVisitor() visitor: Visitor,
  ): Promise<SeeOther> {
    await this.pushes.share(urlToken, visitor);
    return new SeeOther(`/p/${urlToken}/audit`);
  }

  @PostForm('p/:url_token/shorten', FORM)
  @SignedInPage()
  async shorten(
    @Param('url_token', UrlTokenPipe) urlToken: string,
    @CurrentVisitor() visitor: Visitor,
    @Body() fields: FormFields,
  ): Promise<SeeOther> {
    await this.changes.change(urlToken, shorteningIn(fields), visitor);
    return new SeeOther(`/p/${urlToken}/audit`);
  }

  async view(urlToken: string, visitor: Visitor, shown: Partial<AuditProps> = {}, page?: unknown) {
    const activity = await this.ownPushes.activity(urlToken, visitor, ListPage.parse(page));
    return <Audit activity={activity} {...shown} />;
  }
}

interface AuditProps {
  activity: OwnActivity;
  /** How many recipients get the link by mail. */
  mailed?: number;
  /** Whether it was deleted just now. */
  isDeleted?: boolean;
}

/** What happened to a push, for its owner. */
function Audit({ activity, mailed = 0, isDeleted }: AuditProps) {
  const { push, files } = activity;
  const t = useTexts();
  return (
    <Layout title={t.text('audit.title')} within="/pushes" width="list" script="owner">
      <BackLink to={push.expired ? '/pushes/expired' : '/pushes'} text="list.title" />
      <Heading
        title={<NameOf push={push} files={files.count} />}
        lede={push.owner_only && !push.expired ? undefined : <Summary activity={activity} />}
      />
      {isDeleted && push.deleted && <DeletionNotice outcome={{ deleted: 1, unknown: 0 }} />}
      {push.unreadable && <Banner kind="failure">{t.text('list.damaged')}</Banner>}
      <MissingFiles count={files.missing} names={files.missingNames} />
      <FlashMessage text="mailLink.sent" count={mailed} />
      <Split
        aside={
          <>
            {!push.expired && <Recipients push={push} lastOpenings={activity.lastOpenings} />}
            <About activity={activity} />
          </>
        }
      >
        <Log activity={activity} />
      </Split>
    </Layout>
  );
}

/** How often it was opened, and how it ended. */
function Summary({ activity }: { activity: OwnActivity }) {
  const { push, opened } = activity;
  return (
    <>
      {!push.owner_only && (
        <Status kind={opened > 0 ? 'done' : 'open'}>
          <OpenedPhrase of={activity} />
        </Status>
      )}
      {!push.owner_only && push.expired && DOT}
      {push.expired && <State push={push} />}
    </>
  );
}

function Log({ activity }: { activity: OwnActivity }) {
  const { push, entries } = activity;
  const { page, totalPages } = entries;
  const t = useTexts();
  const log = `/p/${push.url_token}/audit`;
  const to = (page: number) => (page > 1 ? `${log}?page=${page}` : log);
  return (
    <Card
      title="audit.title"
      action={
        <LinkButton to={`${log}/download?format=csv`} look="quiet" size="small" icon="download">
          {t.text('audit.export')}
        </LinkButton>
      }
    >
      {page > totalPages ? (
        <PastEnd lastPage={to(totalPages)} />
      ) : (
        <>
          <Events {...activity} entries={entries.body} />
          <PagesOfList page={page} hasNext={page < totalPages} totalPages={totalPages} to={to} />
        </>
      )}
    </Card>
  );
}

/** What holds of a push, and what its owner can do with it. */
function About({ activity: { push, notices, files } }: { activity: OwnActivity }) {
  const t = useTexts();
  const { mayAskForMails } = useSite();
  const mailLink = `/p/${push.url_token}/notify_emails`;
  const mayMail = mayAskForMails || useForm(mailLink).errors !== undefined;
  return (
    <Card
      title="audit.facts"
      isTitleHidden
      strip={
        !push.expired && (
          <>
            {mayMail && isLinkKnown(push) && <MailLink to={mailLink} />}
            {push.owner_only && !push.client_encrypted && (
              <FoldedForm
                to={`/p/${push.url_token}/share`}
                icon="people"
                heading="answer.share"
                text="answer.shareText"
                submit="answer.shareNow"
              />
            )}
            <Shorten push={push} />
            <DeleteForm urlToken={push.url_token} />
          </>
        )
      }
    >
      <div class="stack">
        {!push.expired && <HowToOpen push={push} />}
        <Facts>
          <Fact icon={kindIconOf(push)}>
            {files.count > 0
              ? t.text('audit.files', { count: files.count })
              : t.text(isKindKnown(push) ? `kind.${push.kind}` : 'kind.unknown')}
          </Fact>
          {!push.expired && !push.owner_only && (
            <Fact icon="eye">{t.text('audit.viewsLeft', { count: push.views_remaining })}</Fact>
          )}
          {!push.expired && (
            <Fact icon="clock">
              <Sentence of="created.expires" time={<Time at={push.expires_at} format="named" />} />
            </Fact>
          )}
          <LimitFacts push={push} />
          {push.passphrase_required && !push.client_encrypted && (
            <Fact icon="key">{t.text('audit.needsPassphrase')}</Fact>
          )}
          {push.client_encrypted && (
            <Fact
              icon="lock"
              more={push.owner_only || push.expired ? undefined : t.text('endToEnd.linkNotKept')}
            >
              {t.text(push.owner_only ? 'created.bySendersBrowser' : 'audit.byBrowser')}
            </Fact>
          )}
          {!push.expired && <NoticeFact events={notices} />}
          {push.note && (
            <Fact icon="pencil" more={<Lines text={push.note} />}>
              {t.text('home.note')}
            </Fact>
          )}
        </Facts>
      </div>
    </Card>
  );
}

/** The link of a push, or how its owner opens what nobody else can. */
function HowToOpen({ push }: { push: OwnPushDto }) {
  const t = useTexts();
  if (push.owner_only)
    return (
      <>
        <LinkButton to={`/p/${push.url_token}`} look="primary" icon="unlock" isWide>
          {t.text('request.openAnswer')}
        </LinkButton>
        <p>{t.text(push.client_encrypted ? 'answer.onlyYouWithKey' : 'answer.onlyYou')}</p>
      </>
    );
  return isLinkKnown(push) ? <LinkToCopy url={push.html_url} /> : null;
}

type EventsProps = Pick<OwnActivity, 'mails' | 'recipients' | 'entered' | 'files' | 'ended' | 'push'> & {
  entries: AuditEntry[];
};

/** The events of a page by day, in UTC: a script goes by the days of the reader. */
function Events({ entries, mails, recipients, entered, files, ended, push }: EventsProps) {
  const t = useTexts();
  const addressIn = (emails: Map<string, string | undefined>, id: string) =>
    emails.has(id) ? (emails.get(id) ?? t.text('list.unreadable')) : undefined;
  const events = entries.map((entry) => ({
    at: entry.createdAt,
    shown: (
      <Entry
        key={entry.id}
        entry={entry}
        mails={mails.get(entry.id)}
        by={addressIn(recipients, entry.id)}
        entered={addressIn(entered, entry.id)}
        files={files}
        push={push}
      />
    ),
  }));
  if (ended) events.splice(ended.index, 0, { at: ended.at, shown: <End key="end" at={ended.at} /> });
  const days = Object.entries(Object.groupBy(events, ({ at }) => at.toISOString().slice(0, DATE_LENGTH)));
  return (
    <Timeline>
      {days.map(([day, ofDay = []]) => (
        <TimelineDay key={day} day={<Time at={ofDay[0]?.at ?? day} format="day" />}>
          {ofDay.map(({ shown }) => shown)}
        </TimelineDay>
      ))}
    </Timeline>
  );
}

/** Of a date in ISO 8601. */
const DATE_LENGTH = 10;

interface EntryProps {
  entry: AuditEntry;
  mails?: OwnLinkMail[];
  /** The recipient who caused it. */
  by?: string;
  /** The email address that somebody entered who was refused: any that they liked. */
  entered?: string;
  files: OwnFiles;
  push: OwnPushDto;
}

function Entry({ entry, mails, by, entered, files, push }: EntryProps) {
  const t = useTexts();
  const fileName = files.names[(entry.fileNumber ?? 0) - 1];
  const strong = (label: ComponentChildren) => <strong>{label}</strong>;
  return (
    <TimelineEvent
      {...lookOf(entry.kind)}
      time={<Time at={entry.createdAt} format="clock" />}
      more={
        <>
          {entry.kind === 'code_refused' && `${t.text('audit.noCodeSent')}${DOT}`}
          <AuditClient entry={entry} />
          {entry.ip !== '' && (
            <>
              {DOT}
              <code {...UNTRANSLATED}>{entry.ip}</code>
            </>
          )}
        </>
      }
    >
      {entered === undefined ? (
        strong(t.text(eventTextOf(entry, push), whichFile(entry, files)))
      ) : entry.kind === 'failed_code' ? (
        <Sentence of="audit.wrongCodeFor" b={strong} recipient={<Data>{entered}</Data>} />
      ) : (
        <Sentence of="audit.notNamed" b={strong} address={<Data>{entered}</Data>} />
      )}
      {fileName !== undefined && (
        <>
          {' '}
          <Data>{fileName}</Data>
        </>
      )}
      {by !== undefined && (
        <>
          {' '}
          <Sentence of="audit.by" recipient={<Data>{by}</Data>} />
        </>
      )}
      {mails && <MailStates mails={mails} />}
    </TimelineEvent>
  );
}

interface EventLook {
  icon: IconName;
  kind?: EventKind;
}

const LOOKS: Record<AuditEntry['kind'], EventLook> = {
  creation: { icon: 'lock' },
  view: { icon: 'unlock', kind: 'good' },
  owner_view: { icon: 'unlock' },
  admin_view: { icon: 'unlock', kind: 'warn' },
  failed_view: { icon: 'ban', kind: 'warn' },
  failed_passphrase: { icon: 'ban', kind: 'warn' },
  failed_code: { icon: 'ban', kind: 'warn' },
  code_refused: { icon: 'alert', kind: 'bad' },
  expire: { icon: 'trash' },
  file_download: { icon: 'download', kind: 'good' },
  creation_email_send: { icon: 'mail' },
  edit: { icon: 'pencil' },
};

/** A damaged row may have any kind. */
function lookOf(kind: string): EventLook {
  return (LOOKS as Partial<Record<string, EventLook>>)[kind] ?? { icon: 'info' };
}

/** Of several files, which one was downloaded: of the only one, and of earlier versions, only that one was. */
function whichFile({ fileNumber: number }: AuditEntry, { count }: OwnFiles) {
  if (number === ALL_FILES) return { which: 'all', number: 0, count };
  return number === null || count === 1
    ? { which: 'one', number: 1, count }
    : { which: 'several', number, count };
}

/** What became of the mail to each recipient. */
function MailStates({ mails }: { mails: OwnLinkMail[] }) {
  const t = useTexts();
  return (
    <ul class="small">
      {mails.map(({ address, state, reason }, index) => {
        const text = t.text(`linkMail.${state}`, {
          reason: reason ? t.text(reason.text, reason.values) : '',
        });
        return (
          <li key={index}>
            <strong>{address === undefined ? t.text('list.unreadable') : <Data>{address}</Data>}</strong>{' '}
            {state === 'failed' ? <Status kind="bad">{text}</Status> : text}
          </li>
        );
      })}
    </ul>
  );
}

/** Reaching the limit of time adds no entry to the log. */
function End({ at }: { at: Date }) {
  const t = useTexts();
  return (
    <TimelineEvent icon="clock" time={<Time at={at} format="clock" />}>
      <strong>{t.text('audit.expired')}</strong>
    </TimelineEvent>
  );
}

/** Kinds that only the owner, only an administrator or only others can cause: their texts need not say who. */
const ONE_ACTOR_KINDS = [
  'creation',
  'owner_view',
  'failed_code',
  'code_refused',
  'creation_email_send',
  'edit',
  'admin_view',
] as const;

function isAlwaysByOneActor(kind: AuditEntry['kind']): kind is (typeof ONE_ACTOR_KINDS)[number] {
  return ONE_ACTOR_KINDS.some((one) => one === kind);
}

function eventTextOf({ kind, byOwner, createdAt }: AuditEntry, push: OwnPushDto): TextKey {
  const isRefused = kind === 'failed_view' && mayBeRefused(push) && !hasEndedBy(createdAt, push);
  if (isRefused) return byOwner ? 'audit.you.refused' : 'audit.refused';
  if (!byOwner || isAlwaysByOneActor(kind)) return `audit.${kind}`;
  return `audit.you.${kind}`;
}

function mayBeRefused({ opens_at, limited_to_networks }: OwnPushDto): boolean {
  return opens_at !== undefined || limited_to_networks === true;
}

function hasEndedBy(time: Date, { expired_on: end }: OwnPushDto): boolean {
  return end !== null && new Date(end) <= time;
}

/** Has the link of a push sent by mail. */
function MailLink({ to }: { to: string }) {
  const t = useTexts();
  const { errors, typed } = useForm(to);
  return (
    <FoldedForm to={to} icon="mail" heading="audit.mail" text="mailLink.hint" submit="mailLink.submit">
      <Input
        name="notify_emails_to"
        label={t.text('mailLink.addresses')}
        value={typed.notify_emails_to}
        inputMode="email"
        autocomplete="off"
        required
        autofocus={errors !== undefined}
      />
      <input type="hidden" name="notify_emails_to_locale" value={t.language} />
    </FoldedForm>
  );
}
