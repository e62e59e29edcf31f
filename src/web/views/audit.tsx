import type { ComponentProps } from 'preact';
import type { AuditEntry } from '../../audit/audit-entry.entity.js';
import type { OwnLinkMail } from '../../pushes/link-mails/own-link-mail.js';
import type { OwnActivity } from '../../pushes/owner-lists/own-push-list.js';
import type { OwnPushDto } from '../../pushes/push/push.dto.js';
import type { TextKey } from '../../texts/en.js';
import { AuditClient } from './audit-client.js';
import { State } from './dashboard.js';
import { DeleteForm } from './delete-form.js';
import { EndToEndBadge } from './end-to-end/badge.js';
import { Layout } from './layout.js';
import { LinkToCopy } from './link-to-copy.js';
import { PastEnd } from './own-list.js';
import { PagesOfList } from './pages-of-list.js';
import { MailLink } from './mail-link.js';
import { NoticeList } from './notice-events.js';
import { Link, useSite } from './site.js';
import { useTexts } from './texts.js';
import { Time } from './words.js';

const WORRYING = ['failed_view', 'failed_passphrase'];

interface AuditProps {
  activity: OwnActivity;
  /** How many recipients get the link by mail. */
  mailed?: number;
  /** The form for that, when it was rejected. */
  rejected?: Pick<ComponentProps<typeof MailLink>, 'typed' | 'errors'>;
}

/** What happened to a push, for its owner. */
export function Audit({
  activity: { push, notices, entries, mails, ended },
  mailed = 0,
  rejected,
}: AuditProps) {
  const t = useTexts();
  const { mayAskForMails } = useSite();
  const { page, totalPages } = entries;
  const to = (page: number) => `/p/${push.url_token}/audit${page > 1 ? `?page=${page}` : ''}`;
  return (
    <Layout title={t.text('audit.title')}>
      <p class="back">
        <Link to={push.expired ? '/pushes/expired' : '/pushes'}>{t.text('audit.back')}</Link>
      </p>
      <h1>{push.name || t.text('audit.unnamed')}</h1>
      <p class="lede">
        <span class="badge">{t.text(`kind.${push.kind}`)}</span> {push.client_encrypted && <EndToEndBadge />}{' '}
        <State push={push} />
      </p>
      {push.unreadable && <p class="notice bad">{t.text('list.damaged')}</p>}
      {push.note && <p class="note">{push.note}</p>}
      {mailed > 0 && (
        <p class="notice" role="status">
          {t.text('mailLink.sent', { count: mailed })}
        </p>
      )}
      {!push.expired && <NoticeList events={notices} of="div" />}
      {!push.expired && <Actions push={push} />}
      {(mayAskForMails || rejected) && !push.expired && !push.client_encrypted && (
        <MailLink urlToken={push.url_token} {...rejected} />
      )}
      <h2>{t.text('audit.title')}</h2>
      {page > totalPages ? (
        <PastEnd lastPage={to(totalPages)} />
      ) : (
        <>
          <Events entries={entries.body} mails={mails} ended={ended} />
          <PagesOfList page={page} hasNext={page < totalPages} totalPages={totalPages} to={to} />
        </>
      )}
    </Layout>
  );
}

function Actions({ push }: { push: OwnPushDto }) {
  return (
    <section class="card">
      {push.client_encrypted ? (
        <p>{useTexts().text('endToEnd.linkNotKept')}</p>
      ) : (
        <LinkToCopy url={push.html_url} />
      )}
      <DeleteForm urlToken={push.url_token} />
    </section>
  );
}

/** A table; narrow screens show its rows as cards, so its roles are given explicitly. */
function Events({ entries, mails, ended }: Pick<OwnActivity, 'mails' | 'ended'> & { entries: AuditEntry[] }) {
  const t = useTexts();
  const rows = entries.map((entry) => <Entry key={entry.id} entry={entry} mails={mails.get(entry.id)} />);
  if (ended) rows.splice(ended.index, 0, <End key="end" at={ended.at} />);
  return (
    <table class="events" role="table">
      <thead role="rowgroup">
        <tr role="row">
          {(['audit.when', 'audit.what', 'audit.browser', 'audit.ip'] as const).map((key) => (
            <th key={key} role="columnheader" scope="col">
              {t.text(key)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">{rows}</tbody>
    </table>
  );
}

function Entry({ entry, mails }: { entry: AuditEntry; mails?: OwnLinkMail[] }) {
  const t = useTexts();
  return (
    <tr role="row" class={WORRYING.includes(entry.kind) ? 'worrying' : undefined}>
      <td role="cell" class="when">
        <Time at={entry.createdAt} />
      </td>
      <td role="cell" class="event">
        {t.text(eventTextOf(entry))}
        {mails && <MailStates mails={mails} />}
      </td>
      <td role="cell">
        <AuditClient entry={entry} />
      </td>
      <td role="cell" class="address">
        {entry.ip}
      </td>
    </tr>
  );
}

/** What became of the mail to each recipient. */
function MailStates({ mails }: { mails: OwnLinkMail[] }) {
  const t = useTexts();
  return (
    <ul class="mails">
      {mails.map(({ address = t.text('list.unreadable'), state, reason }, index) => (
        <li key={index} class={state === 'failed' ? 'worrying' : undefined}>
          <strong>{address}</strong>{' '}
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

/** Only the owner can cause some kinds, whose texts need not say so. */
function eventTextOf({ kind, byOwner }: AuditEntry): TextKey {
  const isAlwaysOwner = kind === 'creation' || kind === 'owner_view' || kind === 'creation_email_send';
  return byOwner && !isAlwaysOwner ? `audit.you.${kind}` : `audit.${kind}`;
}
