import { Body, Get, Query } from '@nestjs/common';
import { SignedInPage } from '../../auth/access.decorators.js';
import { ListPage } from '../../platform/http/paging/list-page.js';
import { QueuedByAccount } from '../../platform/limits/account-queues.js';
import { CloseSignal } from '../../platform/http/close-signal.js';
import type { Visitor } from '../../platform/http/visitor.js';
import { CurrentVisitor } from '../../platform/http/visitor.js';
import type { PushState } from '../../pushes/owner-lists/own-push-filter.js';
import { OwnPushFilter, PUSH_STATES } from '../../pushes/owner-lists/own-push-filter.js';
import { OwnPushesService } from '../../pushes/owner-lists/own-pushes.service.js';
import { SealedSearches } from '../../pushes/owner-lists/sealed-searches.js';
import type { FormFields } from '../components/filled-form.js';
import { PostForm } from '../forms/form.js';
import { PageResponse, SeeOther, PageController, ReturnAfterSignIn } from '../pages/page-controller.js';
import type {
  ListedPush,
  OwnPushCounts,
  OwnPushList,
  DeletionOutcome,
} from '../../pushes/owner-lists/own-push-list.js';
import type { OwnPushDto } from '../../pushes/push/push.dto.js';
import { EndToEndBadge, listedCount, TextWithTime, Time } from '../components/words.js';
import { Layout } from '../components/layout.js';
import {
  CopyLink,
  DeleteOne,
  SearchForm,
  NotShownNotice,
  NameOf,
  nameOf,
  Opened,
  DeletionNotice,
  Select,
  KindBadge,
  SelectAll,
  Selection,
} from './own-list.js';
import { InMenu } from '../pages/menus.js';
import { doneIn } from '../pages/paths.js';
import { PagesOfList } from '../components/pages-of-list.js';
import { Link, Sentence, useTexts } from '../components/site.js';

/** The pushes of the signed-in user. */
@PageController()
export class DashboardController {
  constructor(
    private readonly ownPushes: OwnPushesService,
    private readonly searches: SealedSearches,
  ) {}

  @Get('pushes')
  @InMenu({ main: { text: 'site.secrets', position: 10 } })
  @QueuedByAccount()
  @SignedInPage()
  showActive(
    @CurrentVisitor() visitor: Visitor,
    @Query() query: Record<string, unknown>,
    @CloseSignal() signal: AbortSignal,
  ): Promise<PageResponse> {
    return this.show(visitor, query, 'active', signal);
  }

  @Get('pushes/expired')
  @ReturnAfterSignIn()
  @QueuedByAccount()
  @SignedInPage()
  showExpired(
    @CurrentVisitor() visitor: Visitor,
    @Query() query: Record<string, unknown>,
    @CloseSignal() signal: AbortSignal,
  ): Promise<PageResponse> {
    return this.show(visitor, query, 'expired', signal);
  }

  /** Leads to a list whose URL has the searched text only sealed, so that it can be reloaded and paged. */
  @PostForm('pushes/search')
  @SignedInPage()
  search(@CurrentVisitor() visitor: Visitor, @Body() form: FormFields): SeeOther {
    const which = form.list === 'expired' ? 'expired' : 'active';
    const filter = OwnPushFilter.parse(form, this.searches.seal(form.q, visitor), which);
    return new SeeOther(listPath('/pushes', filter, 1));
  }

  private async show(
    visitor: Visitor,
    query: Record<string, unknown>,
    which: PushState & ('active' | 'expired'),
    signal: AbortSignal,
  ): Promise<PageResponse> {
    const filter = OwnPushFilter.parse(query, this.searches.open(query.search, visitor), which);
    const list = await this.ownPushes.list(visitor, filter, ListPage.parse(query.page), signal);
    const counts = await this.ownPushes.count(visitor, list.counts);
    return new PageResponse(
      <Dashboard
        list={list}
        which={which}
        filter={filter}
        counts={counts}
        outcome={deletionOutcomeIn(query)}
      />,
    );
  }
}

interface DashboardProps {
  list: OwnPushList;
  which: 'active' | 'expired';
  filter: OwnPushFilter;
  counts: OwnPushCounts;
  /** What was deleted just now. */
  outcome?: DeletionOutcome;
}

function Dashboard({ list, which, filter, counts, outcome }: DashboardProps) {
  const t = useTexts();
  const path = which === 'active' ? '/pushes' : '/pushes/expired';
  const to = (page: number, other = filter) => listPath(path, other, page);
  const next = to(list.page);
  const isNew = counts.active + counts.expired === 0;
  const isAnyActive = list.rows.some(({ push }) => !push.expired);
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
          <Tabs counts={counts} filter={filter} />
          <SearchForm filter={filter} />
          {filter.isSearch && (
            <p class="clear">
              <Link to={statePath(filter.cleared())} aria-current={undefined}>
                {t.text('filter.clear')}
              </Link>
            </p>
          )}
          {isAnyActive && <SelectAll />}
          {list.rows.length > 0 ? (
            <ul class="rows">
              {list.rows.map((listed) => (
                <Row key={listed.reference} listed={listed} next={next} />
              ))}
            </ul>
          ) : (
            !list.isPastEnd && <p class="empty">{t.text(emptyTextOf(filter, list))}</p>
          )}
          {list.rows.some(({ push }) => push.client_encrypted && !push.owner_only && !push.expired) && (
            <p class="quiet">
              <EndToEndBadge /> {t.text('endToEnd.linkNotKept')}
            </p>
          )}
          <NotShownNotice list={list} filter={filter} to={to} />
          {isAnyActive && <Selection next={next} />}
          {list.isPastEnd || (
            <PagesOfList page={list.page} hasNext={list.hasNext} totalPages={list.totalPages} to={to} />
          )}
        </>
      )}
    </Layout>
  );
}

/** The states, which keep what was searched. How many pushes are in one is known only without a search. */
function Tabs({ counts, filter }: { counts: OwnPushCounts; filter: OwnPushFilter }) {
  const t = useTexts();
  const counted: Partial<Record<PushState, number>> = filter.isSearch
    ? {}
    : { ...counts, all: counts.active + counts.expired };
  return (
    <nav class="tabs" aria-label={t.text('list.tabs')}>
      {PUSH_STATES.map((state) => {
        const name = t.text(`filter.${state}`);
        const count = counted[state];
        return (
          <Link
            key={state}
            to={statePath(filter.withState(state))}
            aria-current={state === filter.state ? 'page' : undefined}
          >
            {count === undefined ? name : t.text('list.counted', { name, ...listedCount(count) })}
          </Link>
        );
      })}
    </nav>
  );
}

function statePath(filter: OwnPushFilter): string {
  return filter.state === 'expired' && filter.isByEndOnly
    ? '/pushes/expired'
    : listPath('/pushes', filter, 1);
}

function emptyTextOf({ isByEndOnly, state, before }: OwnPushFilter, { searchedTo }: OwnPushList) {
  if (!isByEndOnly) return before || searchedTo ? 'list.noMatchHere' : 'list.noMatch';
  return state === 'active' ? 'list.noneActive' : 'list.noneExpired';
}

function Row({ listed, next }: { listed: ListedPush; next: string }) {
  const { push } = listed;
  const t = useTexts();
  const name = nameOf(listed, t);
  return (
    <li class="listed">
      {!push.expired && <Select listed={listed} name={name} />}
      <div class="what">
        <span>
          <Name listed={listed} /> <KindBadge push={push} /> {push.client_encrypted && <EndToEndBadge />}{' '}
          {push.owner_only && <span class="badge">{t.text('answer.badge')}</span>}
        </span>
        {push.unreadable && <span class="quiet">{t.text('list.damaged')}</span>}
        {!push.owner_only && <Opened of={listed} />}
        <span class="quiet">
          <State push={push} />
          {' · '}
          <TextWithTime of="list.created" at={push.created_at} format="short" />
        </span>
      </div>
      <div class="doings">
        {!push.expired && push.owner_only && (
          <Link to={`/p/${push.url_token}`} role="button" class="secondary small">
            {t.text('request.openAnswer')}
          </Link>
        )}
        {!push.expired && !push.client_encrypted && !push.owner_only && push.url_token !== '' && (
          <CopyLink listed={listed} name={name} />
        )}
        {!push.expired && <DeleteOne listed={listed} name={name} next={next} />}
      </div>
    </li>
  );
}

/** Leads to the activity of the push, which only its token can name. */
function Name({ listed }: { listed: ListedPush }) {
  const { url_token: urlToken } = listed.push;
  const name = <NameOf {...listed} />;
  if (urlToken === '') return <span class="name">{name}</span>;
  return (
    <Link to={`/p/${urlToken}/audit`} class="name">
      {name}
    </Link>
  );
}

/** The views and the time that remain, or how the push ended. */
export function State({ push }: { push: OwnPushDto }) {
  if (!push.expired) {
    const time = <Time at={push.expires_at} format="soon" />;
    if (push.owner_only) return <Sentence of="created.expires" time={time} />; // its owner's views do not count
    return <Sentence of="list.remaining" views={push.views_remaining} time={time} />;
  }
  const how = push.deleted
    ? 'list.endedByDelete'
    : push.views_remaining === 0
      ? 'list.endedByViews'
      : 'list.endedByTime';
  return <TextWithTime of={how} at={push.expired_on ?? push.expires_at} format="short" />;
}

/** The path of a page of an owner's list, with only what differs from the list of the path. */
function listPath(path: string, { searched, state, kind, before }: OwnPushFilter, page: number): string {
  const meant = OwnPushFilter.stateFor(searched, path.endsWith('/expired') ? 'expired' : 'active');
  const query = new URLSearchParams({
    ...(searched.sealed && { search: searched.sealed }),
    ...(state !== meant && { state }),
    ...(kind && { kind }),
    ...(before !== undefined && { before }),
    ...(page > 1 && { page: `${page}` }),
  }).toString();
  return query === '' ? path : `${path}?${query}`;
}

/** What was deleted, in the query of a list; undefined if it does not say so. */
function deletionOutcomeIn(query: Record<string, unknown>): DeletionOutcome | undefined {
  const [deleted, unknown] = ['deleted', 'unknown'].map((name) => doneIn(query, 'deleted', name));
  return deleted === undefined || unknown === undefined ? undefined : { deleted, unknown };
}
