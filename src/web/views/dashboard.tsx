import type { Paged } from '../../http/page.js';
import type { OwnPushDto } from '../../pushes/push.dto.js';
import { Layout } from './layout.js';
import { PagesOfList } from './pages-of-list.js';
import { Link } from './site.js';
import { KIND_NAMES, remains, Time } from './words.js';

interface DashboardProps {
  list: Paged<OwnPushDto[]>;
  which: 'active' | 'expired';
}

export function Dashboard({ list, which }: DashboardProps) {
  return (
    <Layout title={which === 'active' ? 'Your pushes' : 'Your expired pushes'}>
      <div class="heading">
        <h1>Your pushes</h1>
        <Link to="/" role="button">
          New push
        </Link>
      </div>
      <nav class="tabs" aria-label="Which pushes">
        <Link to="/pushes">Active</Link>
        <Link to="/pushes/expired">Expired</Link>
      </nav>
      {list.body.length === 0 ? (
        <p class="empty">
          {which === 'active' ? 'Nothing is waiting to be opened.' : 'Nothing has expired yet.'}
        </p>
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
  return (
    <li>
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
