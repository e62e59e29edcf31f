import type { OwnPushFilter } from '../../pushes/own/own-push-filter.js';
import type { ListedPush, OwnPushCounts, OwnPushList } from '../../pushes/own/own-push-list.js';
import type { OwnPushDto } from '../../pushes/push.dto.js';
import { Layout } from './layout.js';
import { DeleteSelected, FilterForm, Missing, Opened, OwnPages, Select } from './own-list.js';
import { Link } from './site.js';
import { useTexts } from './texts.js';
import { Dated, Remaining } from './words.js';

interface DashboardProps {
  list: OwnPushList;
  which: 'active' | 'expired';
  filter: OwnPushFilter;
  counts: OwnPushCounts;
}

export function Dashboard({ list, which, filter, counts }: DashboardProps) {
  const t = useTexts();
  const path = which === 'active' ? '/pushes' : '/pushes/expired';
  return (
    <Layout title={t.text(which === 'active' ? 'list.title' : 'list.titleExpired')}>
      <div class="heading">
        <h1>{t.text('list.title')}</h1>
        <Link to="/" role="button">
          {t.text('list.create')}
        </Link>
      </div>
      <nav class="tabs" aria-label={t.text('list.tabs')}>
        <Link to="/pushes">{t.text('list.active', { count: counts.active })}</Link>
        <Link to="/pushes/expired">{t.text('list.expired', { count: counts.expired })}</Link>
      </nav>
      <FilterForm path={path} filter={filter} />
      {list.isPastEnd ? null : list.rows.length === 0 ? (
        <p class="empty">
          {t.text(
            !filter.isByEndOnly
              ? 'list.noMatch'
              : which === 'active'
                ? 'list.noneActive'
                : 'list.noneExpired',
          )}
        </p>
      ) : (
        <ul class="rows">
          {list.rows.map((listed) => (
            <Row key={listed.push.url_token} {...listed} />
          ))}
        </ul>
      )}
      <Missing list={list} />
      {list.rows.length > 0 && <DeleteSelected />}
      <OwnPages list={list} path={path} filter={filter} />
    </Layout>
  );
}

function Row(listed: ListedPush) {
  const { push } = listed;
  const t = useTexts();
  return (
    <li>
      <Select {...listed} />
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
        <Opened listed={listed} />
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
