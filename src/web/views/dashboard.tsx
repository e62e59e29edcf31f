import type { OwnPushFilter } from '../../pushes/own/own-push-filter.js';
import type { ListedPush, OwnPushCounts, OwnPushList } from '../../pushes/own/own-push-list.js';
import type { OwnPushDto } from '../../pushes/push.dto.js';
import { Layout } from './layout.js';
import { DeleteSelected, FilterForm, Missing, Opened, OwnPages, Select } from './own-list.js';
import { Link } from './site.js';
import { KIND_NAMES, remains, Time } from './words.js';

interface DashboardProps {
  list: OwnPushList;
  which: 'active' | 'expired';
  filter: OwnPushFilter;
  counts: OwnPushCounts;
}

export function Dashboard({ list, which, filter, counts }: DashboardProps) {
  const path = which === 'active' ? '/pushes' : '/pushes/expired';
  return (
    <Layout title={which === 'active' ? 'Your pushes' : 'Your expired pushes'}>
      <div class="heading">
        <h1>Your pushes</h1>
        <Link to="/" role="button">
          New push
        </Link>
      </div>
      <nav class="tabs" aria-label="Which pushes">
        <Link to="/pushes">{`Active (${counts.active})`}</Link>
        <Link to="/pushes/expired">{`Expired (${counts.expired})`}</Link>
      </nav>
      <FilterForm path={path} filter={filter} />
      {list.isPastEnd ? null : list.rows.length === 0 ? (
        <p class="empty">
          {!filter.isByEndOnly
            ? 'No push matches.'
            : which === 'active'
              ? 'Nothing is waiting to be opened.'
              : 'Nothing has expired yet.'}
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
  return (
    <li>
      <Select {...listed} />
      <div class="what">
        <Link to={`/p/${push.url_token}/audit`} class="name">
          {push.name || `Without a name, …${push.url_token.slice(-6)}`}
        </Link>
        <span class="quiet">
          Made <Time at={push.created_at} />
        </span>
      </div>
      <div class="state">
        <span class="badge">{KIND_NAMES[push.kind]}</span>
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
  if (!push.expired) return <>{`${remains(push)} left`}</>;
  const how = push.deleted ? 'Deleted' : push.views_remaining === 0 ? 'Seen for the last time' : 'Ended';
  return (
    <>
      {how} <Time at={push.expired_on ?? push.expires_at} />
    </>
  );
}
