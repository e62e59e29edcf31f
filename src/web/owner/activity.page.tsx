import { Body, Get, Param, Query } from '@nestjs/common';
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
import { FormErrors, Input } from '../components/fields.js';
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
import { State } from './dashboard.page.js';
import { DeleteForm } from '../components/delete-form.js';
import { EndToEndBadge, MissingFiles, Time } from '../components/words.js';
import { Table } from '../components/table.js';
import { Layout } from '../components/layout.js';
import { hasLimitFacts, LimitFacts } from '../components/limit-facts.js';
import { LinkToCopy } from '../components/copy.js';
import { DeletionNotice, KindBadge, NameOf, Opened, PastEnd } from './own-list.js';
import { PagesOfList } from '../components/pages-of-list.js';
import { NoticeList } from '../components/notice-events.js';
import { Recipients } from './recipients.js';
import {
  FlashMessage,
  Link,
  Sentence,
  useSite,
  useTexts,
  Form,
  Data,
  UNTRANSLATED,
  LinkLine,
} from '../components/site.js';

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

const WORRYING = ['failed_view', 'failed_passphrase', 'failed_code', 'code_refused'];

interface AuditProps {
  activity: OwnActivity;
  /** How many recipients get the link by mail. */
  mailed?: number;
  /** Whether it was deleted just now. */
  isDeleted?: boolean;
}

/** What happened to a push, for its owner. */
function Audit({ activity, mailed = 0, isDeleted }: AuditProps) {
  const { push, notices, entries, files } = activity;
  const mailLink = `/p/${push.url_token}/notify_emails`;
  const t = useTexts();
  const { mayAskForMails } = useSite();
  const { page, totalPages } = entries;
  const to = (page: number) => `/p/${push.url_token}/audit${page > 1 ? `?page=${page}` : ''}`;
  return (
    <Layout title={t.text('audit.title')}>
      <LinkLine class="back" to={push.expired ? '/pushes/expired' : '/pushes'} text="audit.back" />
      <h1>
        <NameOf push={push} files={files.count} />
      </h1>
      {isDeleted && push.deleted && <DeletionNotice outcome={{ deleted: 1, unknown: 0 }} />}
      {!push.owner_only && (
        <p class="lede">
          <Opened of={activity} />
        </p>
      )}
      <p class="lede">
        <KindBadge push={push} /> {push.client_encrypted && <EndToEndBadge />} <State push={push} />
      </p>
      {push.unreadable && <p class="alert bad">{t.text('list.damaged')}</p>}
      {push.note && (
        <p class="note" {...UNTRANSLATED}>
          {push.note}
        </p>
      )}
      <MissingFiles count={files.missing} names={files.missingNames} />
      <FlashMessage text="mailLink.sent" count={mailed} />
      {!push.expired && <NoticeList events={notices} of="div" />}
      {!push.expired && <Actions push={push} />}
      {(mayAskForMails || useForm(mailLink).errors) &&
        !push.expired &&
        !push.client_encrypted &&
        !push.owner_only && <MailLink to={mailLink} />}
      {!push.expired && <Recipients push={push} />}
      <h2>{t.text('audit.title')}</h2>
      {page > totalPages ? (
        <PastEnd lastPage={to(totalPages)} />
      ) : (
        <>
          <Events {...activity} entries={entries.body} />
          <PagesOfList page={page} hasNext={page < totalPages} totalPages={totalPages} to={to} />
        </>
      )}
    </Layout>
  );
}

function Actions({ push }: { push: OwnPushDto }) {
  return (
    <section class="card">
      <HowToOpen push={push} />
      {hasLimitFacts(push) && (
        <ul class="facts">
          <LimitFacts push={push} />
        </ul>
      )}
      <Shorten push={push} />
      <DeleteForm urlToken={push.url_token} />
    </section>
  );
}

/** The link of a push, or how its owner opens what nobody else can. */
function HowToOpen({ push }: { push: OwnPushDto }) {
  const t = useTexts();
  if (push.owner_only)
    return (
      <>
        <p>{t.text(push.client_encrypted ? 'answer.onlyYouWithKey' : 'answer.onlyYou')}</p>
        <p class="tools">
          <Link to={`/p/${push.url_token}`} role="button">
            {t.text('request.openAnswer')}
          </Link>
        </p>
        {!push.client_encrypted && (
          <FoldedForm
            to={`/p/${push.url_token}/share`}
            heading="answer.share"
            text="answer.shareText"
            submit="answer.shareNow"
          />
        )}
      </>
    );
  return push.client_encrypted ? <p>{t.text('endToEnd.linkNotKept')}</p> : <LinkToCopy url={push.html_url} />;
}

type EventsProps = Pick<OwnActivity, 'mails' | 'recipients' | 'entered' | 'files' | 'ended' | 'push'> & {
  entries: AuditEntry[];
};

function Events({ entries, mails, recipients, entered, files, ended, push }: EventsProps) {
  const t = useTexts();
  const addressIn = (emails: Map<string, string | undefined>, id: string) =>
    emails.has(id) ? (emails.get(id) ?? t.text('list.unreadable')) : undefined;
  const rows = entries.map((entry) => (
    <Entry
      key={entry.id}
      entry={entry}
      mails={mails.get(entry.id)}
      by={addressIn(recipients, entry.id)}
      entered={addressIn(entered, entry.id)}
      files={files}
      push={push}
    />
  ));
  if (ended) rows.splice(ended.index, 0, <End key="end" at={ended.at} />);
  return <Table headings={['audit.when', 'audit.what', 'audit.browser', 'audit.ip']}>{rows}</Table>;
}

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
  return (
    <tr role="row" class={WORRYING.includes(entry.kind) ? 'worrying' : undefined}>
      <td role="cell" class="when">
        <Time at={entry.createdAt} />
      </td>
      <td role="cell" class="event">
        {t.text(eventTextOf(entry, push), whichFile(entry, files))}
        {fileName !== undefined && (
          <strong class="file-name">
            <Data>{fileName}</Data>
          </strong>
        )}
        {entered !== undefined && (
          <strong class="file-name">
            <Data>{entered}</Data>
          </strong>
        )}
        {by !== undefined && (
          <>
            {' '}
            <Sentence
              of="audit.by"
              recipient={
                <strong>
                  <Data>{by}</Data>
                </strong>
              }
            />
          </>
        )}
        {mails && <MailStates mails={mails} />}
      </td>
      <td role="cell">
        <AuditClient entry={entry} />
      </td>
      <td role="cell" class="address" {...UNTRANSLATED}>
        {entry.ip}
      </td>
    </tr>
  );
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
    <ul class="mails">
      {mails.map(({ address, state, reason }, index) => (
        <li key={index} class={state === 'failed' ? 'worrying' : undefined}>
          <strong>{address === undefined ? t.text('list.unreadable') : <Data>{address}</Data>}</strong>{' '}
          {t.text(`linkMail.${state}`, { reason: reason ? t.text(reason.text, reason.values) : '' })}
        </li>
      ))}
    </ul>
  );
}

/** Reaching the limit of time adds no entry to the log. */
function End({ at }: { at: Date }) {
  const t = useTexts();
  return (
    <tr role="row">
      <td role="cell" class="when">
        <Time at={at} />
      </td>
      <td role="cell" class="event">
        {t.text('audit.expired')}
      </td>
      <td role="cell" />
      <td role="cell" />
    </tr>
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
    <section class="card">
      <h2>{t.text('mailLink.title')}</h2>
      <FormErrors of={to} />
      <Form to={to}>
        <Input
          name="notify_emails_to"
          label={t.text('mailLink.addresses')}
          hint={t.text('mailLink.hint')}
          value={typed.notify_emails_to}
          inputMode="email"
          autocomplete="off"
          required
          autofocus={errors !== undefined}
        />
        <input type="hidden" name="notify_emails_to_locale" value={t.language} />
        <button class="secondary">{t.text('mailLink.submit')}</button>
      </Form>
    </section>
  );
}
