import type { ComponentChild } from 'preact';
import type { OwnPushFilter } from '../../pushes/owner-lists/own-push-filter.js';
import { PUSH_STATES } from '../../pushes/owner-lists/own-push-filter.js';
import type { ListedPush, OwnPushList, DeletionOutcome } from '../../pushes/owner-lists/own-push-list.js';
import type { OwnPushDto } from '../../pushes/push/push.dto.js';
import type { Translator } from '../../texts/translator.js';
import { Link, Form, Sentence, useTexts } from '../components/site.js';
import { TextWithTime, Time, KINDS } from '../components/words.js';

const DELETE_FORM = 'delete-several';

/** What an owner calls a push. */
export function nameOf({ name, url_token: urlToken, unreadable }: OwnPushDto, t: Translator): string {
  return (
    name || (unreadable ? t.text('list.unreadable') : t.text('list.unnamed', { end: urlToken.slice(-6) }))
  );
}

/** Search and filters of an owner's list. Unless a state is chosen, they find pushes in any. */
export function FilterForm({ filter }: { filter: OwnPushFilter }) {
  const t = useTexts();
  const chosen = filter.isByEndOnly ? 'all' : filter.state;
  return (
    <div role="search">
      <Form to="/pushes/search" class="filter">
        <input
          type="search"
          name="q"
          aria-label={t.text('filter.text')}
          placeholder={t.text('filter.text')}
          maxLength={200}
          value={filter.searched.text}
        />
        <select name="state" aria-label={t.text('filter.state')}>
          {PUSH_STATES.map((state) => (
            <option key={state} value={state} selected={state === chosen}>
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
      </Form>
    </div>
  );
}

/** How often a push has been opened, and when last. */
export function Opened({ listed: { push, opened, lastOpenedAt } }: { listed: ListedPush }) {
  const t = useTexts();
  return (
    <span class={opened > 0 ? 'opened' : undefined}>
      {opened === 0
        ? t.text('list.notOpened')
        : t.text('list.opened', { opened, views: push.expire_after_views })}
      {lastOpenedAt && (
        <>
          {' · '}
          <TextWithTime of="list.lastOpened" at={lastOpenedAt} />
        </>
      )}
    </span>
  );
}

/** Copies the whole link. The link is in the page for browsers that let people copy only what is selected. */
export function CopyLink({ push }: { push: OwnPushDto }) {
  const t = useTexts();
  const id = `link-${push.url_token}`;
  return (
    <>
      <span class="visually-hidden" id={id} aria-hidden="true">
        {push.html_url}
      </span>
      <button
        type="button"
        class="secondary small"
        hidden
        data-copy={id}
        title={t.text('list.copyOne', { name: nameOf(push, t) })}
      >
        {t.text('copy.linkButton')}
      </button>
    </>
  );
}

/** Selects a push to be deleted with others. */
export function Select({ listed: { push, reference } }: { listed: ListedPush }) {
  const t = useTexts();
  return (
    <input
      type="checkbox"
      form={DELETE_FORM}
      name="url_tokens"
      value={reference}
      aria-label={t.text('list.select', { name: nameOf(push, t) })}
    />
  );
}

interface DeletionProps {
  /** The list to return to. */
  next: string;
}

/** Leads to the page that asks whether the push shall be deleted. */
export function DeleteOne({ listed: { push, reference }, next }: DeletionProps & { listed: ListedPush }) {
  const t = useTexts();
  return (
    <Form to="/pushes/delete">
      <input type="hidden" name="url_tokens" value={reference} />
      <input type="hidden" name="next" value={next} />
      <button class="secondary small" aria-label={t.text('list.deleteOne', { name: nameOf(push, t) })}>
        {t.text('list.delete')}
      </button>
    </Form>
  );
}

/** Deletes what is selected; a script counts it, and hides this while nothing is. */
export function Selection({ next }: DeletionProps) {
  const t = useTexts();
  return (
    <Form to="/pushes/delete" id={DELETE_FORM} class="selection">
      <input type="hidden" name="next" value={next} />
      <output class="count" />
      <button class="danger">{t.text('list.deleteSelected')}</button>
    </Form>
  );
}

/** A sentence about how many pushes were deleted. */
export function DeletionNotice({ outcome: { deleted, unknown } }: { outcome: DeletionOutcome }) {
  const t = useTexts();
  return (
    <p class="alert" role="status">
      {t.text('list.deleted', { count: deleted })}
      {unknown > 0 && ` ${t.text('list.unknown', { count: unknown })}`}
    </p>
  );
}

interface NotShownProps {
  list: OwnPushList;
  filter: OwnPushFilter;
  /** The path of a page of the list, with another filter. */
  to: (page: number, filter?: OwnPushFilter) => string;
}

/** A sentence about the pushes that the list does not show. */
export function NotShownNotice({ list, filter, to }: NotShownProps) {
  const startingBefore = (id?: string) => (label: ComponentChild) => (
    <Link to={to(1, filter.startingBefore(id))}>{label}</Link>
  );
  return (
    <>
      {list.isPastEnd && <PastEnd lastPage={to(list.totalPages ?? 1)} />}
      {filter.before !== undefined && (
        <p class="quiet">
          <Sentence of="list.continued" link={startingBefore()} />
        </p>
      )}
      {list.searchedTo && (
        <p class="quiet">
          <Sentence
            of="list.searchedTo"
            time={<Time at={list.searchedTo.createdAt} />}
            link={startingBefore(list.searchedTo.id)}
          />
        </p>
      )}
    </>
  );
}

/** Shown instead of a page that a list does not have. */
export function PastEnd({ lastPage }: { lastPage: string }) {
  return (
    <p class="empty">
      <Sentence of="list.noPage" link={(label) => <Link to={lastPage}>{label}</Link>} />
    </p>
  );
}
