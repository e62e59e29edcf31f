import type { ComponentChildren, InputHTMLAttributes } from 'preact';
import type { TextKey } from '../../texts/text-parameters.js';
import { IconButton } from './button.js';
import { Icon } from './icon.js';
import { Form, Link, useSite, useTexts, UNTRANSLATED } from './site.js';

/** The box that selects a row. */
export function SelectRow({ label, ...rest }: { label: string } & Omit<InputHTMLAttributes, 'label'>) {
  return (
    <label>
      <input type="checkbox" aria-label={label} {...rest} />
    </label>
  );
}

/** The same for all rows of the page. A script shows it: client/page/selection.ts. */
export function SelectAll() {
  const t = useTexts();
  return (
    <>
      <span class="visually-hidden">{t.text('list.selection')}</span>
      <label hidden data-select-all>
        <input type="checkbox" aria-label={t.text('list.selectAll')} />
      </label>
    </>
  );
}

interface ListToolsProps {
  /** A `Toolbar`. */
  children: ComponentChildren;
  /** A `BulkBar`. */
  bulk?: ComponentChildren;
}

/** What is above a list: what filters it, and what can be done with the rows that are selected. */
export function ListTools({ children, bulk }: ListToolsProps) {
  return (
    <div class="list-tools">
      {children}
      <div class="bulk-place" data-bulk>
        {bulk}
      </div>
    </div>
  );
}

/** What filters a list: a form that searches. */
export function Toolbar({ to, children }: { to: string; children: ComponentChildren }) {
  return (
    <Form to={to} role="search" class="toolbar" data-search>
      {children}
      <button class="btn visually-hidden-button">{useTexts().text('filter.submit')}</button>
    </Form>
  );
}

/** The same for a page whose address says what is searched, with GET. */
export function SearchForm({ to, children }: { to: string; children: ComponentChildren }) {
  const { base } = useSite();
  return (
    <form action={base + to} role="search" class="toolbar">
      {children}
      <button class="btn visually-hidden-button">{useTexts().text('filter.submit')}</button>
    </form>
  );
}

interface SearchFieldProps {
  name: string;
  label: TextKey;
  /** The label, unless that is too long. */
  placeholder?: TextKey;
  type?: 'search' | 'email';
  value: string;
}

/** The field of a `Toolbar`. */
export function SearchField({ name, label, placeholder = label, type = 'search', value }: SearchFieldProps) {
  const t = useTexts();
  return (
    <div class="search">
      <Icon name="search" />
      <input
        class="input"
        type={type}
        id={name}
        name={name}
        aria-label={t.text(label)}
        placeholder={t.text(placeholder)}
        maxLength={200}
        value={value}
        {...UNTRANSLATED}
      />
    </div>
  );
}

interface BulkBarProps {
  to: string;
  /** The id that the boxes of the rows name as their form. */
  id: string;
  /** Hidden fields, and buttons that send the form. */
  children: ComponentChildren;
}

/** What can be done with the rows that are selected: the stylesheet shows it while some are. */
export function BulkBar({ to, id, children }: BulkBarProps) {
  const t = useTexts();
  return (
    <Form to={to} id={id} class="bulk" aria-label={t.text('list.selection')}>
      <label class="only-phone" hidden data-select-all>
        <input type="checkbox" aria-label={t.text('list.selectAll')} />
      </label>
      <output class="grow" data-selected />
      {children}
      <IconButton type="reset" icon="x" label={t.text('list.selectNone')} />
    </Form>
  );
}

interface FoundCountProps {
  /** In words; nothing for a list that is not searched. */
  count?: ComponentChildren;
  /** The list without the search. */
  clear?: string;
}

/** How many rows a search has found. It is there from the start, so that what a script writes into it is read out. */
export function FoundCount({ count, clear }: FoundCountProps) {
  const t = useTexts();
  return (
    <div class="found">
      <span role="status" data-found>
        {count}
      </span>
      <span data-clear>
        {clear !== undefined && (
          <Link to={clear} aria-current={undefined}>
            {t.text('filter.clear')}
          </Link>
        )}
      </span>
    </div>
  );
}
