import type { AuditEntryDto } from '../../audit/audit-entry.dto.js';
import type { AuditKind } from '../../audit/audit-entry.entity.js';
import type { Paged } from '../../http/page.js';
import type { OwnPushDto } from '../../pushes/push.dto.js';
import { State } from './dashboard.js';
import { Layout } from './layout.js';
import { PagesOfList } from './pages-of-list.js';
import { DeleteForm } from './delete-form.js';
import { Link } from './site.js';
import { useTexts } from './texts.js';
import { Time } from './words.js';
import { LinkToCopy } from './link-to-copy.js';

const WORRYING: AuditKind[] = ['failed_view', 'failed_passphrase'];

interface AuditProps {
  push: OwnPushDto;
  log: Paged<{ logs: AuditEntryDto[] }>;
}

/** The audit log of a push, for its owner. */
export function Audit({ push, log }: AuditProps) {
  const t = useTexts();
  return (
    <Layout title={t.text('audit.title')}>
      <p class="back">
        <Link to={push.expired ? '/pushes/expired' : '/pushes'}>{t.text('audit.back')}</Link>
      </p>
      <h1>{push.name || t.text('audit.unnamed')}</h1>
      <p class="lede">
        <span class="badge">{t.text(`kind.${push.kind}`)}</span> <State push={push} />
      </p>
      {push.note && <p class="note">{push.note}</p>}
      {!push.expired && <Actions push={push} />}
      <h2>{t.text('audit.title')}</h2>
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
      <DeleteForm urlToken={push.url_token} />
    </section>
  );
}

function Entry({ entry }: { entry: AuditEntryDto }) {
  const t = useTexts();
  return (
    <li class={WORRYING.includes(entry.kind) ? 'worrying' : undefined}>
      <strong>{t.text(`audit.${entry.kind}`)}</strong> <Time at={entry.created_at} />
      <dl>
        <dt>{t.text('audit.ip')}</dt>
        <dd>{entry.ip}</dd>
        {entry.user_agent && (
          <>
            <dt>{t.text('audit.browser')}</dt>
            <dd>{entry.user_agent}</dd>
          </>
        )}
        {entry.referrer && (
          <>
            <dt>{t.text('audit.referrer')}</dt>
            <dd>{entry.referrer}</dd>
          </>
        )}
      </dl>
    </li>
  );
}
