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
import type { ActiveOrder } from '../../pushes/push/push.repository.js';
import { LinkButton } from '../components/button.js';
import { SegmentLink, SegmentLinks } from '../components/choices.js';
import { Empty } from '../components/empty.js';
import { PickOne } from '../components/fields.js';
import { Heading } from '../components/heading.js';
import type { IconName } from '../components/icon.js';
import { Icon } from '../components/icon.js';
import { Layout } from '../components/layout.js';
import { FoundCount, ListTools, SearchField, SelectAll, Toolbar } from '../components/list-tools.js';
import { MenuButton, MenuLink, RowMenu } from '../components/menu.js';
import { PagesOfList } from '../components/pages-of-list.js';
import { Data, Form, Link, Sentence, useTexts } from '../components/site.js';
import type { Column } from '../components/table.js';
import { Cell, Mark, Row, RowTitle, Table, Tag } from '../components/table.js';
import { DOT, KINDS, listedCount, Time } from '../components/words.js';
import { InMenu } from '../pages/menus.js';
import { doneIn } from '../pages/paths.js';
import {
  CopyLink,
  DELETE_ONE,
  DeleteSelected,
  DeletionNotice,
  EndStatus,
  EndToEndNote,
  isKindKnown,
  isLinkKnown,
  kindIconOf,
  linkId,
  NameOf,
  nameOf,
  NotShownNotice,
  OpenedPhrase,
  OpenedStatus,
  Select,
  State,
} from './own-list.js';
import { SHORTEN } from './shorten.js';

/** The pushes of the signed-in user. */
@PageController()
export class DashboardController {
  constructor(
    private readonly ownPushes: OwnPushesService,
    private readonly searches: SealedSearches,
  ) {}

  @Get('pushes')
  @InMenu({ main: { text: 'site.secrets', position: 10, icon: 'lock' } })
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

/** What a script shows of a search. */
const SEARCHED_ICONS: IconName[] = [
  ...(['text', 'files', 'link', 'qr', 'lock', 'key', 'people', 'shield', 'sort', 'more'] as const),
  ...(['copy', 'clock', 'pulse', 'trash', 'unlock', 'x', 'search', 'plus'] as const),
];

function Dashboard({ list, which, filter, counts, outcome }: DashboardProps) {
  const t = useTexts();
  const path = which === 'active' ? '/pushes' : '/pushes/expired';
  const isNew = counts.active + counts.expired === 0;
  const isAnyActive = list.rows.some(({ push }) => !push.expired);
  const to = (page: number, other = filter) => listPath(path, other, page);
  return (
    <Layout
      title={t.text(which === 'active' ? 'list.title' : 'list.titleExpired')}
      width="list"
      script="owner"
      icons={isNew ? undefined : SEARCHED_ICONS}
    >
      <Heading title={t.text('list.title')}>{!isNew && <ShareButton isOnlyWide />}</Heading>
      {outcome && <DeletionNotice outcome={outcome} />}
      {isNew ? (
        <Empty title={t.text('list.nothingYet')} action={<ShareButton />}>
          {t.text('list.nothingYetText')}
        </Empty>
      ) : (
        <>
          <ListTools bulk={isAnyActive && <DeleteSelected next={to(list.page)} />}>
            <Filters counts={counts} filter={filter} />
          </ListTools>
          <Found list={list} filter={filter} />
          <div data-results>
            {list.rows.length > 0 ? (
              <Pushes list={list} filter={filter} to={to} />
            ) : (
              !list.isPastEnd && <NoPushes list={list} filter={filter} />
            )}
            {list.rows.some(({ push }) => push.client_encrypted && !push.owner_only && !push.expired) && (
              <EndToEndNote />
            )}
            <NotShownNotice list={list} filter={filter} to={to} />
            {list.isPastEnd || (
              <PagesOfList page={list.page} hasNext={list.hasNext} totalPages={list.totalPages} to={to} />
            )}
          </div>
        </>
      )}
    </Layout>
  );
}

function ShareButton({ isOnlyWide }: { isOnlyWide?: boolean }) {
  return (
    <LinkButton to="/" look="primary" icon="plus" isOnlyWide={isOnlyWide}>
      {useTexts().text('list.create')}
    </LinkButton>
  );
}

/** The states, which keep what was searched, the search in names and notes, and the choice of a kind. */
function Filters({ counts, filter }: { counts: OwnPushCounts; filter: OwnPushFilter }) {
  const t = useTexts();
  const counted: Partial<Record<PushState, number>> = { ...counts, all: counts.active + counts.expired };
  return (
    <Toolbar to="/pushes/search">
      <SegmentLinks label="list.tabs">
        {PUSH_STATES.map((state) => {
          const count = counted[state];
          return (
            <SegmentLink
              key={state}
              to={statePath(filter.withState(state))}
              isCurrent={state === filter.state}
              count={count === undefined ? undefined : t.text('list.count', listedCount(count))}
            >
              {t.text(`filter.${state}`)}
            </SegmentLink>
          );
        })}
      </SegmentLinks>
      <input type="hidden" name={filter.isByEndOnly ? 'list' : 'state'} value={filter.state} />
      <SearchField name="q" label="filter.text" value={filter.searched.text} />
      <PickOne name="kind" aria-label={t.text('filter.kind')}>
        <option value="">{t.text('filter.allKinds')}</option>
        {KINDS.map((kind) => (
          <option key={kind} value={kind} selected={kind === filter.kind}>
            {t.text(`kind.${kind}`)}
          </option>
        ))}
      </PickOne>
    </Toolbar>
  );
}

function statePath(filter: OwnPushFilter): string {
  return filter.state === 'expired' && filter.isByEndOnly
    ? '/pushes/expired'
    : listPath('/pushes', filter, 1);
}

function Found({ list: { found, rows }, filter }: { list: OwnPushList; filter: OwnPushFilter }) {
  const t = useTexts();
  return (
    <FoundCount
      count={found && filter.isSearch && t.text('list.found', found)}
      clear={filter.searched.text !== '' && rows.length > 0 ? statePath(filter.cleared()) : undefined}
    />
  );
}

/** In place of a list without rows. */
function NoPushes({ list, filter }: { list: OwnPushList; filter: OwnPushFilter }) {
  const t = useTexts();
  const { text } = filter.searched;
  if (filter.isByEndOnly)
    return filter.state === 'active' ? (
      <Empty title={t.text('list.noneActive')} action={<ShareButton />}>
        {t.text('list.nothingYetText')}
      </Empty>
    ) : (
      <Empty title={t.text('list.noneExpired')}>{t.text('list.noneExpiredText')}</Empty>
    );
  const isPart = (filter.before ?? list.searchedTo) !== undefined;
  return (
    <Empty
      icon="search"
      title={
        isPart || text === '' ? (
          t.text(isPart ? 'list.noMatchHere' : 'list.noMatch')
        ) : (
          <Sentence of="filter.noName" text={<Data>{text}</Data>} />
        )
      }
      action={
        filter.isSearch && (
          <LinkButton to={statePath(filter.cleared())} aria-current={undefined}>
            {t.text('filter.clear')}
          </LinkButton>
        )
      }
    >
      {t.text(filter.isSearch ? 'filter.where' : 'list.nothingYetText')}
    </Empty>
  );
}

interface PushesProps {
  list: OwnPushList;
  filter: OwnPushFilter;
  /** The path of a page of the list, with another filter. */
  to: (page: number, filter?: OwnPushFilter) => string;
}

function Pushes({ list, filter, to }: PushesProps) {
  const hasBoxes = list.rows.some(({ push }) => !push.expired);
  return (
    <>
      <Table
        caption="list.title"
        columns={columnsOf(filter, (order) => to(1, filter.inOrder(order)))}
        selectAll={hasBoxes ? <SelectAll /> : undefined}
        hasLongNames
      >
        {list.rows.map((listed) => (
          <PushRow key={listed.reference} listed={listed} hasBoxes={hasBoxes} />
        ))}
      </Table>
      {hasBoxes && (
        <Form to="/pushes/delete" id={DELETE_ONE}>
          <input type="hidden" name="next" value={to(list.page)} />
        </Form>
      )}
    </>
  );
}

/** By creation and by limit of time the active ones can be sorted: the database has an index for no other order. */
function columnsOf(filter: OwnPushFilter, sortedTo: (order: ActiveOrder) => string): Column[] {
  const { order, isSortable } = filter;
  const sortedBy = (first: ActiveOrder, last: ActiveOrder) => ({
    sorted: order === first ? ('ascending' as const) : order === last ? ('descending' as const) : undefined,
    sortBy: isSortable ? sortedTo(order === first ? last : first) : undefined,
  });
  return [
    { text: 'list.nameHeading' },
    { text: 'list.openedHeading', shownAt: 'wide' },
    { text: 'list.lastOpenedHeading', shownAt: 'desk' },
    {
      text: filter.state === 'expired' ? 'list.endedHeading' : 'list.expiresHeading',
      shownAt: 'wide',
      ...sortedBy('first_to_end', 'last_to_end'),
    },
    { text: 'list.createdHeading', shownAt: 'desk', ...sortedBy('oldest', 'newest') },
    { text: 'list.actions', isTitleHidden: true },
  ];
}

function PushRow({ listed, hasBoxes }: { listed: ListedPush; hasBoxes: boolean }) {
  const { push, lastOpenedAt } = listed;
  const t = useTexts();
  const name = nameOf(listed, t);
  return (
    <Row
      select={hasBoxes ? !push.expired && <Select listed={listed} name={name} /> : undefined}
      title={<Name listed={listed} />}
      line={
        <>
          {!push.owner_only && (
            <>
              <OpenedPhrase of={listed} />
              {DOT}
            </>
          )}
          <State push={push} isMarked />
        </>
      }
      actions={push.expired && push.url_token === '' ? undefined : <Actions listed={listed} name={name} />}
    >
      <Cell isQuiet={push.owner_only}>{push.owner_only ? '–' : <OpenedStatus of={listed} />}</Cell>
      <Cell shownAt="desk" isQuiet>
        {lastOpenedAt ? <Time at={lastOpenedAt} format="brief" /> : '–'}
      </Cell>
      <Cell>
        <EndStatus push={push} />
      </Cell>
      <Cell shownAt="desk" isQuiet>
        <Time at={push.created_at} format="brief" />
      </Cell>
    </Row>
  );
}

/** Leads to the activity of the push, which only its token can name. */
function Name({ listed }: { listed: ListedPush }) {
  const { push } = listed;
  const t = useTexts();
  const name = <NameOf {...listed} />;
  return (
    <RowTitle
      icon={<Icon name={kindIconOf(push)} />}
      more={push.unreadable && t.text('list.damaged')}
      marks={<Marks push={push} />}
    >
      {push.url_token === '' ? name : <Link to={`/p/${push.url_token}/audit`}>{name}</Link>}
      {isKindKnown(push) && <span class="visually-hidden">{`, ${t.text(`kind.${push.kind}`)}`}</span>}
    </RowTitle>
  );
}

function Marks({ push }: { push: OwnPushDto }) {
  const t = useTexts();
  return (
    <>
      {push.owner_only && <Tag>{t.text('answer.badge')}</Tag>}
      {push.passphrase_required && !push.client_encrypted && (
        <Mark icon="key" text={t.text('list.withPassphrase')} />
      )}
      {push.recipients_required && <Mark icon="people" text={t.text('list.forPeople')} />}
      {push.client_encrypted && <Mark icon="shield" text={t.text('endToEnd.badge')} />}
    </>
  );
}

/** What can be done with a push: its link is copied with a button where there is room. */
function Actions({ listed, name }: { listed: ListedPush; name: string }) {
  const { push, reference } = listed;
  const t = useTexts();
  const activity = `/p/${push.url_token}/audit`;
  const hasToken = push.url_token !== '';
  const link = !push.expired && hasToken && isLinkKnown(push) && linkId(push);
  return (
    <>
      {link && <CopyLink push={push} name={name} />}
      <RowMenu label={t.text('list.more', { name })}>
        {push.owner_only && !push.expired && hasToken && (
          <MenuLink to={`/p/${push.url_token}`} icon="unlock">
            {t.text('request.openAnswer')}
          </MenuLink>
        )}
        {hasToken && (
          <MenuLink to={activity} icon="pulse">
            {t.text('audit.title')}
          </MenuLink>
        )}
        {link && (
          <MenuButton type="button" icon="copy" hidden data-copy={link}>
            {t.text('copy.linkButton')}
          </MenuButton>
        )}
        {!push.expired && hasToken && (
          <MenuLink to={`${activity}#${SHORTEN}`} icon="clock">
            {t.text('shorten.title')}
          </MenuLink>
        )}
        {!push.expired && (
          <MenuButton form={DELETE_ONE} name="url_tokens" value={reference} icon="trash" isDangerous>
            {t.text('list.delete')}
          </MenuButton>
        )}
      </RowMenu>
    </>
  );
}

/** The path of a page of an owner's list, with only what differs from the list of the path. */
function listPath(path: string, filter: OwnPushFilter, page: number): string {
  const { searched, state, kind, before, order } = filter;
  const meant = OwnPushFilter.stateFor(searched, path.endsWith('/expired') ? 'expired' : 'active');
  const query = new URLSearchParams({
    ...(searched.sealed && { search: searched.sealed }),
    ...(state !== meant && { state }),
    ...(kind && { kind }),
    ...(before !== undefined && { before }),
    ...(order !== 'newest' && { order }),
    ...(page > 1 && { page: `${page}` }),
  }).toString();
  return query === '' ? path : `${path}?${query}`;
}

/** What was deleted, in the query of a list; undefined if it does not say so. */
function deletionOutcomeIn(query: Record<string, unknown>): DeletionOutcome | undefined {
  const [deleted, unknown] = ['deleted', 'unknown'].map((name) => doneIn(query, 'deleted', name));
  return deleted === undefined || unknown === undefined ? undefined : { deleted, unknown };
}
