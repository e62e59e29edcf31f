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
import { HOUR_MS } from '../../platform/settings/units.js';
import { Banner } from '../components/banner.js';
import { Button, IconButton } from '../components/button.js';
import type { IconName } from '../components/icon.js';
import { Fact, Facts } from '../components/letter.js';
import { BulkBar, SelectRow } from '../components/list-tools.js';
import { Link, Sentence, useTexts, Data, UNTRANSLATED } from '../components/site.js';
import { Phrase, RowButton, Soon, Status } from '../components/table.js';
import { TextWithTime, Time } from '../components/words.js';

const DELETE_FORM = 'delete-several';
/** The id of the form that the menus of all rows send, each with its push. */
export const DELETE_ONE = 'delete-one';

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
export function isKindKnown({ client_encrypted: isEncrypted, kind }: OwnPushDto): boolean {
  return !isEncrypted || kind === 'file';
}

const KIND_ICONS: Partial<Record<string, IconName>> = { text: 'text', file: 'files', url: 'link', qr: 'qr' };

/** An icon for its kind, if that is known: a damaged row may have any. */
export function kindIconOf(push: OwnPushDto): IconName {
  return (isKindKnown(push) ? KIND_ICONS[push.kind] : undefined) ?? 'lock';
}

/** How often a push has been opened, in a cell. */
export function OpenedStatus({ of: { push, opened } }: { of: Views }) {
  const t = useTexts();
  return opened === 0 ? (
    <Status kind="open">{t.text('list.notYet')}</Status>
  ) : (
    <Status kind="done">{t.text('list.openedOf', { opened, views: push.expire_after_views })}</Status>
  );
}

/** The same in a sentence. */
export function OpenedPhrase({ of: { push, opened } }: { of: Views }) {
  const t = useTexts();
  const views = push.expire_after_views;
  return <>{opened === 0 ? t.text('list.notOpened') : t.text('list.opened', { opened, views })}</>;
}

/** When a push ends, or how it ended, in a cell with a heading. */
export function EndStatus({ push }: { push: OwnPushDto }) {
  if (push.expired)
    return (
      <Status kind="over">
        <State push={push} />
      </Status>
    );
  const time = <Time at={push.expires_at} format="end" />;
  return endsSoon(push) ? <Status kind="soon">{time}</Status> : <Phrase>{time}</Phrase>;
}

interface StateProps {
  push: OwnPushDto;
  /** Whether it is in amber when it ends soon. */
  isMarked?: boolean;
}

/** The same in a sentence. */
export function State({ push, isMarked }: StateProps) {
  if (!push.expired) {
    const text = <TextWithTime of="list.expires" at={push.expires_at} format="end" />;
    return isMarked && endsSoon(push) ? <Soon>{text}</Soon> : text;
  }
  const how = push.deleted
    ? 'list.endedByDelete'
    : push.views_remaining === 0
      ? 'list.endedByViews'
      : 'list.endedByTime';
  return <TextWithTime of={how} at={push.expired_on ?? push.expires_at} format="brief" />;
}

/** Whether it ends within an hour. */
function endsSoon({ expires_at: end }: OwnPushDto): boolean {
  return new Date(end).getTime() - Date.now() < HOUR_MS;
}

/** Whether the server knows the whole link of a push, and others may open it. */
export function isLinkKnown({ client_encrypted: isEncrypted, owner_only: isOwners }: OwnPushDto): boolean {
  return !isEncrypted && !isOwners;
}

/** The id of the element that has the link of a push. */
export function linkId({ url_token: urlToken }: OwnPushDto): string {
  return `link-${urlToken}`;
}

/** Copies the whole link. The link is in the page for browsers that let people copy only what is selected. */
export function CopyLink({ push, name }: { push: OwnPushDto; name: string }) {
  const id = linkId(push);
  return (
    <>
      <span class="visually-hidden" id={id} aria-hidden="true" {...UNTRANSLATED}>
        {push.html_url}
      </span>
      <RowButton>
        <IconButton icon="copy" label={useTexts().text('list.copyOne', { name })} hidden data-copy={id} />
      </RowButton>
    </>
  );
}

/** Why the list copies no link of some. */
export function EndToEndNote() {
  const t = useTexts();
  return (
    <div class="gap-top">
      <Facts>
        <Fact icon="shield" more={t.text('endToEnd.linkNotKept')}>
          {t.text('endToEnd.badge')}
        </Fact>
      </Facts>
    </div>
  );
}

interface SelectProps {
  listed: ListedPush;
  /** Its `nameOf`, for labels. */
  name: string;
}

/** Selects a push to be deleted with others. */
export function Select({ listed, name }: SelectProps) {
  return (
    <SelectRow
      label={useTexts().text('list.select', { name })}
      form={DELETE_FORM}
      name="url_tokens"
      value={listed.reference}
    />
  );
}

/** Leads to the page that asks whether what is selected shall be deleted. @param next the list to return to */
export function DeleteSelected({ next }: { next: string }) {
  return (
    <BulkBar to="/pushes/delete" id={DELETE_FORM}>
      <input type="hidden" name="next" value={next} />
      <Button size="small" icon="trash">
        {useTexts().text('list.delete')}
      </Button>
    </BulkBar>
  );
}

/** A sentence about how many pushes were deleted. */
export function DeletionNotice({ outcome: { deleted, unknown } }: { outcome: DeletionOutcome }) {
  const t = useTexts();
  return (
    <Banner kind={deleted > 0 ? 'done' : 'info'} role="status">
      <strong>{t.text('list.deleted', { count: deleted })}</strong>
      {deleted > 0 && ` ${t.text(deleted === 1 ? 'list.deletedText' : 'list.deletedTexts')}`}
      {unknown > 0 && ` ${t.text('list.unknown', { count: unknown })}`}
    </Banner>
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
        <p class="quiet gap-top">
          <Sentence of="list.continued" link={startingBefore()} />
        </p>
      )}
      {list.searchedTo && (
        <p class="quiet gap-top">
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
    <p class="quiet gap-top">
      <Sentence of="list.noPage" link={(label) => <Link to={lastPage}>{label}</Link>} />
    </p>
  );
}
