import type { OwnPushFilter } from '../../pushes/owner-lists/own-push-filter.js';
import type {
  ListedPush,
  OwnPushCounts,
  OwnPushList,
  DeletionOutcome,
} from '../../pushes/owner-lists/own-push-list.js';
import type { OwnPushDto } from '../../pushes/push/push.dto.js';
import { listPath } from './list-path.js';
import { EndToEndBadge } from './end-to-end/badge.js';
import { Layout } from './layout.js';
import {
  CopyLink,
  DeleteOne,
  FilterForm,
  NotShownNotice,
  nameOf,
  Opened,
  DeletionNotice,
  Select,
  Selection,
} from './own-list.js';
import { PagesOfList } from './pages-of-list.js';
import { Link } from './site.js';
import { useTexts } from './texts.js';
import { listedCount, TextWithTime, Remaining } from './words.js';

interface DashboardProps {
  list: OwnPushList;
  which: 'active' | 'expired';
  filter: OwnPushFilter;
  counts: OwnPushCounts;
  /** What was deleted just now. */
  outcome?: DeletionOutcome;
}

export function Dashboard({ list, which, filter, counts, outcome }: DashboardProps) {
  const t = useTexts();
  const path = which === 'active' ? '/pushes' : '/pushes/expired';
  const to = (page: number, other = filter) => listPath(path, other, page);
  const next = to(list.page);
  const isNew = counts.active + counts.expired === 0;
  return (
    <Layout title={t.text(which === 'active' ? 'list.title' : 'list.titleExpired')}>
      <div class="heading">
        <h1>{t.text('list.title')}</h1>
        <Link to="/" role="button">
          {t.text('list.create')}
        </Link>
      </div>
      {outcome && <DeletionNotice outcome={outcome} />}
      {isNew ? (
        <div class="empty">
          <p>{t.text('list.nothingYet')}</p>
          <p>{t.text('list.nothingYetText')}</p>
        </div>
      ) : (
        <>
          <Tabs counts={counts} state={filter.state} />
          <FilterForm filter={filter} />
          {list.rows.length > 0 ? (
            <ul class="rows">
              {list.rows.map((listed) => (
                <Row key={listed.reference} listed={listed} next={next} />
              ))}
            </ul>
          ) : (
            !list.isPastEnd && <p class="empty">{t.text(emptyTextOf(filter, list))}</p>
          )}
          <NotShownNotice list={list} filter={filter} to={to} />
          {list.rows.length > 0 && <Selection next={next} />}
          {list.isPastEnd || (
            <PagesOfList page={list.page} hasNext={list.hasNext} totalPages={list.totalPages} to={to} />
          )}
        </>
      )}
    </Layout>
  );
}

function Tabs({ counts: { active, expired }, state }: { counts: OwnPushCounts; state: string }) {
  const t = useTexts();
  const current = (of: string) => (of === state ? 'page' : undefined);
  return (
    <nav class="tabs" aria-label={t.text('list.tabs')}>
      <Link to="/pushes" aria-current={current('active')}>
        {t.text('list.active', listedCount(active))}
      </Link>
      <Link to="/pushes/expired" aria-current={current('expired')}>
        {t.text('list.expired', listedCount(expired))}
      </Link>
      <Link to="/pushes?state=all" aria-current={current('all')}>
        {t.text('list.all', listedCount(active + expired))}
      </Link>
    </nav>
  );
}

function emptyTextOf({ isByEndOnly, state, before }: OwnPushFilter, { searchedTo }: OwnPushList) {
  if (!isByEndOnly) return before || searchedTo ? 'list.noMatchHere' : 'list.noMatch';
  return state === 'active' ? 'list.noneActive' : 'list.noneExpired';
}

function Row({ listed, next }: { listed: ListedPush; next: string }) {
  const { push } = listed;
  const t = useTexts();
  return (
    <li class="listed">
      <Select listed={listed} />
      <div class="what">
        <span>
          <Name push={push} /> <span class="badge">{t.text(`kind.${push.kind}`)}</span>{' '}
          {push.client_encrypted && <EndToEndBadge />}
        </span>
        {push.unreadable && <span class="quiet">{t.text('list.damaged')}</span>}
        <Opened listed={listed} />
        <span class="quiet">
          <State push={push} />
          {' · '}
          <TextWithTime of="list.created" at={push.created_at} />
        </span>
        {!push.expired && push.client_encrypted && (
          <span class="quiet">{t.text('endToEnd.linkNotKept')}</span>
        )}
      </div>
      <div class="doings">
        {!push.expired && !push.client_encrypted && push.url_token !== '' && <CopyLink push={push} />}
        <DeleteOne listed={listed} next={next} />
      </div>
    </li>
  );
}

/** Leads to the activity of the push, which only its token can name. */
function Name({ push }: { push: OwnPushDto }) {
  const name = nameOf(push, useTexts());
  if (push.url_token === '') return <span class="name">{name}</span>;
  return (
    <Link to={`/p/${push.url_token}/audit`} class="name">
      {name}
    </Link>
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
  return <TextWithTime of={how} at={push.expired_on ?? push.expires_at} />;
}
