import type { OwnPushFilter } from '../../pushes/own/own-push-filter.js';
import { MAX_SEARCHED } from '../../pushes/own/own-pushes.service.js';
import { PUSH_STATES } from '../../pushes/own/own-push-filter.js';
import type { ListedPush, OwnPushList } from '../../pushes/own/own-push-list.js';
import { Link, PostForm, useSite } from './site.js';
import { useTexts } from './texts.js';
import { Dated, KINDS } from './words.js';

const DELETE_FORM = 'delete-several';

interface FilterFormProps {
  path: string;
  filter: OwnPushFilter;
}

/** Search and filters of an owner's list. */
export function FilterForm({ path, filter }: FilterFormProps) {
  const { base } = useSite();
  const t = useTexts();
  return (
    <form method="get" action={base + path} role="search" class="filter">
      <input
        type="search"
        name="q"
        aria-label={t.text('filter.text')}
        placeholder={t.text('filter.text')}
        maxLength={200}
        value={filter.text}
      />
      <select name="state" aria-label={t.text('filter.state')}>
        {PUSH_STATES.map((state) => (
          <option key={state} value={state} selected={state === filter.state}>
            {t.text(`filter.${state}`)}
          </option>
        ))}
      </select>
      <select name="kind" aria-label={t.text('filter.kind')}>
        <option value="">{t.text('filter.allKinds')}</option>
        {KINDS.map((kind) => (
          <option key={kind} value={kind} selected={kind === filter.kind}>
            {t.text(`kind.${kind}`)}
          </option>
        ))}
      </select>
      <button>{t.text('filter.submit')}</button>
    </form>
  );
}

/** How often a push has been opened, and when last. */
export function Opened({ listed: { push, opened, lastOpenedAt } }: { listed: ListedPush }) {
  const t = useTexts();
  return (
    <span class="quiet">
      {t.text('list.opened', { opened, views: push.expire_after_views })}
      {lastOpenedAt && (
        <>
          {' · '}
          <Dated of="list.lastOpened" at={lastOpenedAt} />
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
      aria-label={useTexts().text('list.select', { name: push.name || push.url_token.slice(-6) })}
    />
  );
}

export function DeleteSelected() {
  return (
    <PostForm to="/pushes/delete" id={DELETE_FORM}>
      <button class="danger">{useTexts().text('list.deleteSelected')}</button>
    </PostForm>
  );
}

/** What the list does not show. */
export function Missing({ list }: { list: OwnPushList }) {
  const t = useTexts();
  if (list.isPastEnd) return <p class="empty">{t.text('list.noPage')}</p>;
  if (list.isCut) return <p class="quiet">{t.text('list.cut', { count: MAX_SEARCHED })}</p>;
  return null;
}

interface OwnPagesProps extends FilterFormProps {
  list: OwnPushList;
}

export function OwnPages({ list: { page, totalPages, hasNext }, path, filter }: OwnPagesProps) {
  const t = useTexts();
  if (page === 1 && !hasNext) return null;
  const to = (number: number) =>
    `${path}?${new URLSearchParams({ ...queryOf(filter, path), page: `${number}` }).toString()}`;
  return (
    <nav class="pages" aria-label={t.text('list.pages')}>
      {page === 1 ? (
        <span />
      ) : (
        <Link to={to(Math.min(page - 1, totalPages ?? page))}>{t.text('list.newer')}</Link>
      )}
      <span class="quiet">
        {totalPages === undefined
          ? t.text('list.pageOnly', { page })
          : t.text('list.page', { page, pages: totalPages })}
      </span>
      {hasNext ? <Link to={to(page + 1)}>{t.text('list.older')}</Link> : <span />}
    </nav>
  );
}

/** Only what differs from the list of the path. */
function queryOf({ text, state, kind }: OwnPushFilter, path: string): Record<string, string> {
  const isDefault = state === (path.endsWith('/expired') ? 'expired' : 'active');
  return { ...(text && { q: text }), ...(!isDefault && { state }), ...(kind && { kind }) };
}
