import type { ComponentChild } from 'preact';
import type { OwnPushFilter } from '../../pushes/owner-lists/own-push-filter.js';
import type {
  ListedPush,
  OwnPushList,
  DeletionOutcome,
  Views,
} from '../../pushes/owner-lists/own-push-list.js';
import type { OwnPushDto } from '../../pushes/push/push.dto.js';
import type { Translator } from '../../texts/translator.js';
import { Link, Form, Sentence, useTexts, Data, UNTRANSLATED } from '../components/site.js';
import { TextWithTime, Time, KINDS } from '../components/words.js';

const DELETE_FORM = 'delete-several';

/** A push that has to be told from others of its owner. */
type Nameable = Pick<ListedPush, 'push' | 'files'>;

/** What an owner calls a push: without a name, its kind, its files and when it was created. */
export function NameOf({ push, files }: Nameable) {
  const t = useTexts();
  if (push.name !== '') return <Data>{push.name}</Data>;
  if (push.unreadable) return <>{nameOf({ push, files }, t)}</>;
  const time = <Time at={push.created_at} format="short" />;
  return <Sentence of="list.unnamed" {...kindAndFiles({ push, files }, t)} time={time} />;
}

/** The same as text, in which the time is in UTC. */
export function nameOf({ push, files }: Nameable, t: Translator): string {
  if (push.name !== '') return push.name;
  if (push.unreadable) return t.text('list.unreadable');
  const time = t.time(new Date(push.created_at), 'short');
  return t.text('list.unnamed', { ...kindAndFiles({ push, files }, t), time });
}

function kindAndFiles({ push, files }: Nameable, t: Translator) {
  const content = push.kind === 'file' ? 'files' : files > 0 ? 'both' : 'text';
  return { kind: t.text(isKindKnown(push) ? `kind.${push.kind}` : 'kind.unknown'), content, files };
}

/** Of what a browser has encrypted, the server knows only whether there are files. */
function isKindKnown({ client_encrypted: isEncrypted, kind }: OwnPushDto): boolean {
  return !isEncrypted || kind === 'file';
}

export function KindBadge({ push }: { push: OwnPushDto }) {
  const t = useTexts();
  return isKindKnown(push) ? <span class="badge">{t.text(`kind.${push.kind}`)}</span> : null;
}

/** Searches the name and the note, and selects a kind. Unless a state was chosen, in any. */
export function SearchForm({ filter }: { filter: OwnPushFilter }) {
  const t = useTexts();
  return (
    <div role="search">
      <Form to="/pushes/search" class="filter">
        <input type="hidden" name={filter.isByEndOnly ? 'list' : 'state'} value={filter.state} />
        <input
          type="search"
          name="q"
          aria-label={t.text('filter.text')}
          placeholder={t.text('filter.text')}
          maxLength={200}
          value={filter.searched.text}
        />
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
export function Opened({ of: { push, opened, lastOpenedAt } }: { of: Views }) {
  const t = useTexts();
  return (
    <span class={opened > 0 ? 'opened' : undefined}>
      {opened === 0
        ? t.text('list.notOpened')
        : t.text('list.opened', { opened, views: push.expire_after_views })}
      {lastOpenedAt && (
        <>
          {' · '}
          <TextWithTime of="list.lastOpened" at={lastOpenedAt} format="short" />
        </>
      )}
    </span>
  );
}

interface NamedProps {
  listed: ListedPush;
  /** Its `nameOf`, for labels. */
  name: string;
}

/** Copies the whole link. The link is in the page for browsers that let people copy only what is selected. */
export function CopyLink({ listed: { push }, name }: NamedProps) {
  const t = useTexts();
  const id = `link-${push.url_token}`;
  return (
    <>
      <span class="visually-hidden" id={id} aria-hidden="true" {...UNTRANSLATED}>
        {push.html_url}
      </span>
      <button
        type="button"
        class="secondary small"
        hidden
        data-copy={id}
        title={t.text('list.copyOne', { name })}
      >
        {t.text('copy.linkButton')}
      </button>
    </>
  );
}

/** Selects a push to be deleted with others. */
export function Select({ listed, name }: NamedProps) {
  return (
    <input
      type="checkbox"
      form={DELETE_FORM}
      name="url_tokens"
      value={listed.reference}
      aria-label={useTexts().text('list.select', { name })}
    />
  );
}

interface DeletionProps {
  /** The list to return to. */
  next: string;
}

/** Leads to the page that asks whether the push shall be deleted. */
export function DeleteOne({ listed, name, next }: DeletionProps & NamedProps) {
  const t = useTexts();
  return (
    <Form to="/pushes/delete">
      <input type="hidden" name="url_tokens" value={listed.reference} />
      <input type="hidden" name="next" value={next} />
      <button class="secondary small danger-text" aria-label={t.text('list.deleteOne', { name })}>
        {t.text('list.delete')}
      </button>
    </Form>
  );
}

/** Selects all that the page shows; a script shows it. */
export function SelectAll() {
  return (
    <label class="select-all" hidden>
      <input type="checkbox" />
      {useTexts().text('list.selectAll')}
    </label>
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
