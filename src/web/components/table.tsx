import type { ComponentChildren } from 'preact';
import type { TextKey } from '../../texts/text-parameters.js';
import type { IconName } from './icon.js';
import { Icon } from './icon.js';
import type { BoxAttributes } from './site.js';
import { Link, useTexts } from './site.js';

/** The widths at which a column is shown: narrow screens leave out the less important ones. */
export type ColumnWidth = 'always' | 'wide' | 'desk';

const SHOWN_AT: Record<ColumnWidth, string | undefined> = {
  always: undefined,
  wide: 'only-wide',
  desk: 'only-desk',
};

export interface Column {
  text: TextKey;
  shownAt?: ColumnWidth;
  /** Whether only screen readers hear its heading. */
  isTitleHidden?: boolean;
  /** How the table is sorted by it, if it is. */
  sorted?: 'ascending' | 'descending';
  /** The page that is sorted by it, or the other way round. */
  sortBy?: string;
}

interface TableProps {
  /** What the table is a list of. */
  caption: TextKey;
  columns: readonly Column[];
  /** The cell of the heading above boxes that select rows. */
  selectAll?: ComponentChildren;
  /** Whether the names in its rows are cut to one line. */
  hasLongNames?: boolean;
  /** Whether its rows are entries of a log: `LogEvent`s. */
  isLog?: boolean;
  /** Whether it is on the surface of a card, whose heading says what it is. */
  isWithin?: boolean;
  children: ComponentChildren;
}

/**
 * A table. On narrow screens each row is a block of the row's heading, one line and what can be done, so its roles are
 * given explicitly: browsers take them from rows that are not shown as such.
 */
export function Table(props: TableProps) {
  const { caption, columns, selectAll, hasLongNames, isLog, isWithin, children } = props;
  const t = useTexts();
  return (
    <div class={isWithin ? 'table-within' : 'card table-card'}>
      <table
        class={['list', !selectAll && 'plain', hasLongNames && 'names', isLog && 'audit']
          .filter(Boolean)
          .join(' ')}
        role="table"
      >
        <caption class="visually-hidden">{t.text(caption)}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {selectAll && (
              <th role="columnheader" scope="col" class="tick-box">
                {selectAll}
              </th>
            )}
            {columns.map((column) => (
              <th
                key={column.text}
                role="columnheader"
                scope="col"
                class={SHOWN_AT[column.shownAt ?? 'always']}
                aria-sort={column.sorted}
              >
                <ColumnTitle {...column} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">{children}</tbody>
      </table>
    </div>
  );
}

function ColumnTitle({ text, isTitleHidden, sorted, sortBy }: Column) {
  const title = useTexts().text(text);
  if (isTitleHidden) return <span class="visually-hidden">{title}</span>;
  if (sortBy === undefined) return <>{title}</>;
  return (
    <Link to={sortBy} aria-current={undefined}>
      {title}
      {sorted && <Icon name="sort" size="small" class={sorted === 'ascending' ? 'up' : undefined} />}
    </Link>
  );
}

type RowProps = BoxAttributes & {
  /** A box that selects it. */
  select?: ComponentChildren;
  /** Its heading: a `RowTitle`. */
  title: ComponentChildren;
  /** What narrow screens show below the heading in place of the other cells. */
  line?: ComponentChildren;
  /** Its buttons and its menu. */
  actions?: ComponentChildren;
  /** Its other cells. */
  children?: ComponentChildren;
};

export function Row({ select, title, line, actions, children, ...rest }: RowProps) {
  return (
    <tr role="row" {...rest}>
      {select !== undefined && (
        <td role="cell" class="tick-box">
          {select}
        </td>
      )}
      <th role="rowheader" scope="row">
        {title}
      </th>
      {children}
      {line !== undefined && (
        <td role="cell" class="line only-phone-cell">
          {line}
        </td>
      )}
      {actions !== undefined && (
        <td role="cell" class="doings">
          <div class="row">{actions}</div>
        </td>
      )}
    </tr>
  );
}

interface CellProps {
  /** As of its column; a cell is shown on wide screens only, unless it says otherwise. */
  shownAt?: ColumnWidth;
  /** Whether it is a time or another detail in quiet type. */
  isQuiet?: boolean;
  children?: ComponentChildren;
}

export function Cell({ shownAt = 'wide', isQuiet, children }: CellProps) {
  return (
    <td role="cell" class={[SHOWN_AT[shownAt], isQuiet && 'when'].filter(Boolean).join(' ') || undefined}>
      {children}
    </td>
  );
}

interface RowTitleProps {
  /** An icon or an avatar in front of it. */
  icon?: ComponentChildren;
  /** A second line below the name. */
  more?: ComponentChildren;
  /** Marks behind the name: `Tag`s, or icons with words that only screen readers hear. */
  marks?: ComponentChildren;
  /** The name: a link, which on phones takes up the whole row, or a text. */
  children: ComponentChildren;
}

/** What a row is about. */
export function RowTitle({ icon, more, marks, children }: RowTitleProps) {
  return (
    <span class="subject">
      {icon}
      <span class="title-cell">
        <span class="title">{children}</span>
        {more !== undefined && <span class="sub">{more}</span>}
      </span>
      {marks}
    </span>
  );
}

/** Something that happened, as the heading of a row. */
export function LogEvent({ more, children }: { more?: ComponentChildren; children: ComponentChildren }) {
  return (
    <span class="what-cell">
      <span class="plain-event">{children}</span>
      {more && <span class="sub">{more}</span>}
    </span>
  );
}

/** The first letter of an account's address, as its picture. */
export function Avatar({ of }: { of: string }) {
  return (
    <span class="avatar" aria-hidden="true">
      {[...of][0]?.toUpperCase()}
    </span>
  );
}

/** A button of a row for which narrow screens have no room: its menu has the same. */
export function RowButton({ children }: { children: ComponentChildren }) {
  return <span class="only-wide">{children}</span>;
}

/** What is true of a row, as an icon with words that only screen readers hear. */
export function Mark({ icon, text }: { icon: IconName; text: string }) {
  return (
    <span class="mark only-wide" title={text}>
      <Icon name={icon} size="small" />
      <span class="visually-hidden">{text}</span>
    </span>
  );
}

/** A phrase that begins a cell or a line, where it has a capital letter. */
export function Phrase({ children }: { children: ComponentChildren }) {
  return <span class="phrase">{children}</span>;
}

/** The same as `Status` in the line of a narrow screen: in amber if it is soon. */
export function Soon({ children }: { children: ComponentChildren }) {
  return <span class="soon-text">{children}</span>;
}

/** Open: a hollow dot; done: green; soon: amber; bad: red; over: a dash. */
export type StatusKind = 'open' | 'done' | 'soon' | 'bad' | 'over';

const STATUSES: Record<StatusKind, string> = {
  open: 'status quiet',
  done: 'status done-state',
  soon: 'status soon',
  bad: 'status bad',
  over: 'status over',
};

/** A state, as a dot and words. */
export function Status({ kind, children }: { kind: StatusKind; children: ComponentChildren }) {
  return (
    <span class={STATUSES[kind]}>
      <Phrase>{children}</Phrase>
    </span>
  );
}

interface TagProps {
  /** Whether narrow screens leave it out, where the line of its row says the same. */
  isOnlyWide?: boolean;
  children: ComponentChildren;
}

/** What kind of thing something is, in small type with a border. */
export function Tag({ isOnlyWide, children }: TagProps) {
  return <span class={isOnlyWide ? 'tag only-wide' : 'tag'}>{children}</span>;
}
