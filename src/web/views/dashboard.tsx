import type { Paged } from '../../http/page.js';
import type { OwnPushDto } from '../../pushes/push.dto.js';
import { Layout } from './layout.js';
import { PagesOfList } from './pages-of-list.js';
import { Link } from './site.js';
import { useTexts } from './texts.js';
import { Dated, Remaining } from './words.js';

interface DashboardProps {
  list: Paged<OwnPushDto[]>;
  which: 'active' | 'expired';
}

export function Dashboard({ list, which }: DashboardProps) {
  const t = useTexts();
  return (
    <Layout title={t.text(which === 'active' ? 'list.title' : 'list.titleExpired')}>
      <div class="heading">
        <h1>{t.text('list.title')}</h1>
        <Link to="/" role="button">
          {t.text('list.create')}
        </Link>
      </div>
      <nav class="tabs" aria-label={t.text('list.tabs')}>
        <Link to="/pushes">{t.text('list.active')}</Link>
        <Link to="/pushes/expired">{t.text('list.expired')}</Link>
      </nav>
      {list.body.length === 0 ? (
        <p class="empty">{t.text(which === 'active' ? 'list.noneActive' : 'list.noneExpired')}</p>
      ) : (
        <ul class="rows">
          {list.body.map((push) => (
            <Row key={push.url_token} push={push} />
          ))}
        </ul>
      )}
      <PagesOfList list={list} path={which === 'active' ? '/pushes' : '/pushes/expired'} />
    </Layout>
  );
}

function Row({ push }: { push: OwnPushDto }) {
  const t = useTexts();
  return (
    <li>
      <div class="what">
        <Link to={`/p/${push.url_token}/audit`} class="name">
          {push.name || t.text('list.unnamed', { end: push.url_token.slice(-6) })}
        </Link>
        <span class="quiet">
          <Dated of="list.created" at={push.created_at} />
        </span>
      </div>
      <div class="state">
        <span class="badge">{t.text(`kind.${push.kind}`)}</span>
        <span class="quiet">
          <State push={push} />
        </span>
      </div>
    </li>
  );
}

/** The views and days that remain, or how the push ended. */
export function State({ push }: { push: OwnPushDto }) {
  if (!push.expired) return <Remaining of="list.remaining" push={push} />;
  const how = push.deleted
    ? 'list.endedByDelete'
    : push.views_remaining === 0
      ? 'list.endedByViews'
      : 'list.endedByTime';
  return <Dated of={how} at={push.expired_on ?? push.expires_at} />;
}
