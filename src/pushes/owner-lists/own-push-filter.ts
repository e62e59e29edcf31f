import { BadRequestException } from '@nestjs/common';
import type { Push } from '../push/push.entity.js';
import { OWNER_TEXTS } from '../push/push.entity.js';
import type { ActiveOrder } from '../push/push.repository.js';
import { ACTIVE_ORDERS } from '../push/push.repository.js';
import type { PushKind } from '../../shared/push-kind.js';
import { PUSH_KINDS } from '../../shared/push-kind.js';
import type { OwnerFields } from '../push/push-seal.js';
import type { SearchedText } from './sealed-searches.js';
import { invalidSearch } from './sealed-searches.js';
import { Problem } from '../../platform/errors/problem.js';

/** Opened and unopened pushes may be active or expired. */
export const PUSH_STATES = ['active', 'opened', 'unopened', 'expired', 'all'] as const;

export type PushState = (typeof PUSH_STATES)[number];

/** Which of their pushes owners want to see. */
export class OwnPushFilter {
  private readonly search: TextSearch | undefined;

  constructor(
    readonly state: PushState,
    readonly kind?: PushKind,
    /** A text that occurs in the name or the note. */
    readonly searched: SearchedText = { text: '', sealed: '' },
    /** The id of a push: only older ones. */
    readonly before?: string,
    private readonly wantedOrder: ActiveOrder = 'newest',
  ) {
    this.search = searched.text === '' ? undefined : new TextSearch(searched.text);
  }

  /**
   * The filter in the query of a URL or in a form; what is empty counts as absent. A text without a state is searched
   * in all of them.
   * @throws BadRequestException
   */
  static parse(
    { state, kind, before, order }: Record<string, unknown>,
    searched: SearchedText,
    defaultState: PushState,
  ): OwnPushFilter {
    return new OwnPushFilter(
      oneOf(PUSH_STATES, 'state', state) ?? OwnPushFilter.stateFor(searched, defaultState),
      oneOf(PUSH_KINDS, 'kind', kind),
      searched,
      idOrNone(before),
      oneOf(ACTIVE_ORDERS, 'order', order),
    );
  }

  /** The same for the pushes that are older than the one with this id; for all of them without one. */
  startingBefore(id?: string): OwnPushFilter {
    return new OwnPushFilter(this.state, this.kind, this.searched, id);
  }

  /** The same for another state, from the newest on. */
  withState(state: PushState): OwnPushFilter {
    return new OwnPushFilter(state, this.kind, this.searched);
  }

  /** The same list in another order. */
  inOrder(order: ActiveOrder): OwnPushFilter {
    return new OwnPushFilter(this.state, this.kind, this.searched, this.before, order);
  }

  /** What a search finds, and what has ended, is always the newest first. */
  get order(): ActiveOrder {
    return this.isSortable ? this.wantedOrder : 'newest';
  }

  /** Whether the database has an index for each order. */
  get isSortable(): boolean {
    return this.state === 'active' && this.isByEndOnly;
  }

  /** The list without what was searched; a search without a chosen state was in all of them. */
  cleared(): OwnPushFilter {
    return new OwnPushFilter(this.hasText && this.state === 'all' ? 'active' : this.state);
  }

  /** Whether it selects by more than the state. */
  get isSearch(): boolean {
    return this.hasText || this.kind !== undefined || this.before !== undefined;
  }

  /** The state that is meant when none is given. */
  static stateFor({ text }: SearchedText, defaultState: PushState): PushState {
    return text === '' ? defaultState : 'all';
  }

  /** Whether it only selects active or expired pushes, which the database can count and find by an index. */
  get isByEndOnly(): boolean {
    return ['active', 'expired'].includes(this.state) && !this.isSearch;
  }

  /** Everything but the text. */
  matches(push: Push, now: Date): boolean {
    return (this.kind === undefined || push.kind === this.kind) && hasState(push, this.state, now);
  }

  get hasText(): boolean {
    return this.search !== undefined;
  }

  matchesText(fields: OwnerFields): boolean {
    const { search } = this;
    return search === undefined || OWNER_TEXTS.some((name) => search.matches(fields[name]));
  }
}

function hasState(push: Push, state: PushState, now: Date): boolean {
  switch (state) {
    case 'active':
      return !push.isExpired(now);
    case 'expired':
      return push.isExpired(now);
    case 'opened':
      return push.viewsCounted > 0;
    case 'unopened':
      return push.viewsCounted === 0;
    case 'all':
      return true;
  }
}

function oneOf<Value extends string>(
  values: readonly Value[],
  name: string,
  value: unknown,
): Value | undefined {
  if (value === undefined || value === '') return undefined;
  if (!(values as readonly unknown[]).includes(value))
    throw new BadRequestException(new Problem('option_unknown', { name, options: values }));
  return value as Value;
}

function idOrNone(id: unknown): string | undefined {
  if (id === undefined || id === '') return undefined;
  if (typeof id !== 'string' || !/^[\w-]{1,36}$/.test(id)) throw invalidSearch();
  return id;
}

/** Finds a text in others, whatever their case and Unicode form. */
export class TextSearch {
  private readonly wanted: string;

  constructor(text: string) {
    this.wanted = foldCase(text);
  }

  matches(text: string): boolean {
    return foldCase(text).includes(this.wanted);
  }
}

/** Converts to upper case, because lower case depends on the place in a word (sigma) and distinguishes ß from ss. */
function foldCase(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text.toUpperCase();
  return text.normalize('NFKC').toUpperCase().normalize('NFKC');
}
