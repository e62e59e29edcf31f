import type { AuditEntryDto } from '../../audit/audit-entry.dto.js';
import type { AuditKind } from '../../audit/audit-entry.entity.js';
import type { Paged } from '../../http/page.js';
import type { OwnPushDto } from '../../pushes/push.dto.js';
import { State } from './dashboard.js';
import { Layout } from './layout.js';
import { PagesOfList } from './pages-of-list.js';
import { Link, PostForm } from './site.js';
import { KIND_NAMES, Time } from './words.js';
import { LinkToCopy } from './link-to-copy.js';

const HAPPENINGS: Record<AuditKind, string> = {
  creation: 'Made',
  view: 'Opened',
  owner_view: 'Opened by you',
  failed_view: 'Tried after its end',
  failed_passphrase: 'Wrong passphrase',
  expire: 'Deleted',
  file_download: 'File downloaded',
};

const WORRYING: AuditKind[] = ['failed_view', 'failed_passphrase'];

interface AuditProps {
  push: OwnPushDto;
  log: Paged<{ logs: AuditEntryDto[] }>;
}

/** The audit log of a push, for its owner. */
export function Audit({ push, log }: AuditProps) {
  return (
    <Layout title="What happened to a push">
      <p class="back">
        <Link to={push.expired ? '/pushes/expired' : '/pushes'}>← Your pushes</Link>
      </p>
      <h1>{push.name || 'Push without a name'}</h1>
      <p class="lede">
        <span class="badge">{KIND_NAMES[push.kind]}</span> <State push={push} />
      </p>
      {push.note && <p class="note">{push.note}</p>}
      {!push.expired && <Actions push={push} />}
      <h2>What happened</h2>
      <ol class="timeline">
        {log.body.logs.map((entry, index) => (
          <Entry key={index} entry={entry} />
        ))}
      </ol>
      <PagesOfList list={log} path={`/p/${push.url_token}/audit`} />
    </Layout>
  );
}

function Actions({ push }: { push: OwnPushDto }) {
  return (
    <section class="card">
      <LinkToCopy url={push.html_url} />
      <details class="delete">
        <summary>Delete it now</summary>
        <PostForm to={`/p/${push.url_token}/delete`}>
          <p>Nobody will be able to open it again, and this cannot be undone.</p>
          <button class="danger">Yes, delete it for good</button>
        </PostForm>
      </details>
    </section>
  );
}

function Entry({ entry }: { entry: AuditEntryDto }) {
  return (
    <li class={WORRYING.includes(entry.kind) ? 'worrying' : undefined}>
      <strong>{HAPPENINGS[entry.kind]}</strong> <Time at={entry.created_at} />
      <dl>
        <dt>From</dt>
        <dd>{entry.ip}</dd>
        {entry.user_agent && (
          <>
            <dt>With</dt>
            <dd>{entry.user_agent}</dd>
          </>
        )}
        {entry.referrer && (
          <>
            <dt>By way of</dt>
            <dd>{entry.referrer}</dd>
          </>
        )}
      </dl>
    </li>
  );
}
