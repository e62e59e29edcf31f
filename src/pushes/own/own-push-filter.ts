import { BadRequestException } from '@nestjs/common';
import { textError } from '../../http/validation/text-error.js';
import type { Push } from '../push.entity.js';
import type { PushKind } from '../push-kind.js';
import { PUSH_KINDS } from '../push-kind.js';
import type { OwnerFields } from '../push-seal.js';
import { TextSearch } from './text-search.js';

/** Opened and unopened pushes may be active or expired. */
export const PUSH_STATES = ['active', 'opened', 'unopened', 'expired', 'all'] as const;

export type PushState = (typeof PUSH_STATES)[number];

const MAX_TEXT = 200;

/** Which of their pushes owners want to see. */
export class OwnPushFilter {
  private readonly search: TextSearch | undefined;

  constructor(
    readonly state: PushState,
    readonly kind?: PushKind,
    /** Occurs in the name or note. */
    readonly text = '',
  ) {
    this.search = text.trim() === '' ? undefined : new TextSearch(text.trim());
  }

  /**
   * The filter in the query of a URL; a parameter that is empty counts as absent. A text without a state is searched in
   * all of them.
   * @throws BadRequestException
   */
  static parse(query: Record<string, unknown>, defaultState: PushState): OwnPushFilter {
    const { q: text = '', state, kind } = query;
    const error = textError(text, MAX_TEXT);
    if (error) throw new BadRequestException(`q ${error}`);
    return new OwnPushFilter(
      oneOf(PUSH_STATES, 'state', state) ?? OwnPushFilter.stateFor(text as string, defaultState),
      oneOf(PUSH_KINDS, 'kind', kind),
      text as string,
    );
  }

  /** The state that is meant when none is given. */
  static stateFor(text: string, defaultState: PushState): PushState {
    return text.trim() === '' ? defaultState : 'all';
  }

  /** Whether it only selects active or expired pushes, which the database can count and find by an index. */
  get isByEndOnly(): boolean {
    return ['active', 'expired'].includes(this.state) && this.kind === undefined && !this.search;
  }

  /** Everything but the text. */
  matches(push: Push, now: Date): boolean {
    return (this.kind === undefined || push.kind === this.kind) && hasState(push, this.state, now);
  }

  get hasText(): boolean {
    return this.search !== undefined;
  }

  finds({ name, note }: OwnerFields): boolean {
    return this.search === undefined || this.search.matches(name) || this.search.matches(note);
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
    throw new BadRequestException(`${name} must be one of: ${values.join(', ')}`);
  return value as Value;
}
