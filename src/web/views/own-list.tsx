import type { OwnPushFilter } from '../../pushes/own/own-push-filter.js';
import { PUSH_STATES } from '../../pushes/own/own-push-filter.js';
import type { ListedPush, OwnPushList } from '../../pushes/own/own-push-list.js';
import { Link, PostForm, useSite } from './site.js';
import { KIND_NAMES, KINDS, Time } from './words.js';

const STATE_NAMES = {
  active: 'Active',
  opened: 'Opened',
  unopened: 'Not opened',
  expired: 'Expired',
  all: 'All',
} as const;

const DELETE_FORM = 'delete-several';

interface FilterFormProps {
  path: string;
  filter: OwnPushFilter;
}

/** Search and filters of an owner's list. */
export function FilterForm({ path, filter }: FilterFormProps) {
  const { base } = useSite();
  return (
    <form method="get" action={base + path} role="search" class="filter">
      <input type="search" name="q" aria-label="Name or note" maxLength={200} value={filter.text} />
      <select name="state" aria-label="State">
        {PUSH_STATES.map((state) => (
          <option key={state} value={state} selected={state === filter.state}>
            {STATE_NAMES[state]}
          </option>
        ))}
      </select>
      <select name="kind" aria-label="Kind">
        <option value="">All kinds</option>
        {KINDS.map((kind) => (
          <option key={kind} value={kind} selected={kind === filter.kind}>
            {KIND_NAMES[kind]}
          </option>
        ))}
      </select>
      <button>Search</button>
    </form>
  );
}

/** How often a push has been opened, and when last. */
export function Opened({ listed: { push, opened, lastOpenedAt } }: { listed: ListedPush }) {
  return (
    <span class="quiet">
      {`Opened ${opened} of ${push.expire_after_views}`}
      {lastOpenedAt && (
        <>
          , last <Time at={lastOpenedAt} />
        </>
      )}
    </span>
  );
}

/** Selects a push to be deleted by `DeleteSelected`. */
export function Select({ push }: ListedPush) {
  return (
    <input
      type="checkbox"
      form={DELETE_FORM}
      name="url_tokens"
      value={push.url_token}
      aria-label={`Select ${push.name || push.url_token.slice(-6)}`}
    />
  );
}

export function DeleteSelected() {
  return (
    <PostForm to="/pushes/delete" id={DELETE_FORM}>
      <button class="danger">Delete selected</button>
    </PostForm>
  );
}

/** What the list does not show. */
export function Missing({ list }: { list: OwnPushList }) {
  if (list.isPastEnd) return <p class="empty">The list has no such page.</p>;
  if (list.isCut) return <p class="quiet">Only your newest 2,000 pushes were searched.</p>;
  return null;
}

interface OwnPagesProps extends FilterFormProps {
  list: OwnPushList;
}

export function OwnPages({ list: { page, totalPages, hasNext }, path, filter }: OwnPagesProps) {
  if (page === 1 && !hasNext) return null;
  const to = (number: number) =>
    `${path}?${new URLSearchParams({ ...queryOf(filter, path), page: `${number}` }).toString()}`;
  return (
    <nav class="pages" aria-label="Pages of the list">
      {page === 1 ? <span /> : <Link to={to(Math.min(page - 1, totalPages ?? page))}>← Newer</Link>}
      <span class="quiet">{totalPages === undefined ? `Page ${page}` : `Page ${page} of ${totalPages}`}</span>
      {hasNext ? <Link to={to(page + 1)}>Older →</Link> : <span />}
    </nav>
  );
}

/** Only what differs from the list of the path. */
function queryOf({ text, state, kind }: OwnPushFilter, path: string): Record<string, string> {
  const isDefault = state === (path.endsWith('/expired') ? 'expired' : 'active');
  return { ...(text && { q: text }), ...(!isDefault && { state }), ...(kind && { kind }) };
}
