import type { Bounds, PushRules } from '../../pushes/create/push-rules.js';
import { lifetimeChoices } from '../views/home/lifetime-choices.js';
import type { EnteredFields } from '../views/home.js';
import type { Chosen } from '../views/home/chosen.js';
import { chosenLifetime, chosenViews, CUSTOM } from '../views/home/chosen.js';

type Query = Partial<Record<string, unknown>>;

/**
 * The options that a link to the form proposes, as in `/?kind=url&views=1&duration=1h&click=0&deletable=1`. What this
 * instance does not offer is left out, and everything else, such as a secret, is not read at all.
 */
export function optionsInQuery(query: Query, rules: PushRules, mayAttach: boolean): EnteredFields {
  return {
    ...kindIn(query.kind, rules, mayAttach),
    ...viewsIn(query.views, rules.views),
    ...durationIn(query.duration, rules.days),
    ...switchIn('retrieval_step', query.click),
    ...switchIn('deletable_by_viewer', query.deletable),
  };
}

/**
 * The path of the form with the options that it has now, so that it can be shown again later. What `optionsInQuery` would
 * not read is left out: whatever was typed into the field of a number must not get into a URL.
 */
export function pathWithOptions(typed: EnteredFields, rules: PushRules): string {
  const { expire_after_views: views, expire_after_duration: duration, expire_after_days: days } = typed;
  const entries: [string, string | undefined][] = [
    ['kind', typed.kind],
    ['views', views && numberOf(chosenViews(typed, rules))],
    ['duration', (duration ?? days) && durationOf(chosenLifetime(typed, rules), rules.days)],
    ['click', flagOf(typed.retrieval_step)],
    ['deletable', flagOf(typed.deletable_by_viewer)],
  ];
  const read = entries.filter(
    (entry): entry is [string, string] =>
      Object.keys(optionsInQuery(Object.fromEntries([entry]), rules, true)).length > 0,
  );
  return read.length === 0 ? '/' : `/?${new URLSearchParams(read).toString()}`;
}

function numberOf({ option, number }: Chosen): string {
  return option === CUSTOM ? number : option;
}

function durationOf({ option, number }: Chosen, bounds: Bounds): string | undefined {
  if (option === CUSTOM) return number && `${number}d`;
  return lifetimeChoices(bounds).find(({ step }) => step === option)?.name;
}

function flagOf(value: string | undefined): string | undefined {
  return value && (value === 'off' ? '0' : '1');
}

function kindIn(kind: unknown, { enabledKinds }: PushRules, mayAttach: boolean): EnteredFields {
  const isOffered = enabledKinds.some((enabled) => enabled === kind) && (kind !== 'file' || mayAttach);
  return isOffered ? { kind: kind as string } : {};
}

function viewsIn(views: unknown, bounds: Bounds): EnteredFields {
  return isNumberWithin(views, bounds) ? { expire_after_views: String(Number(views)) } : {};
}

function durationIn(duration: unknown, bounds: Bounds): EnteredFields {
  const named = lifetimeChoices(bounds).find(({ name }) => name === duration);
  if (named) return { expire_after_duration: named.step };
  const days = typeof duration === 'string' && duration.endsWith('d') ? duration.slice(0, -1) : undefined;
  return isNumberWithin(days, bounds) ? { expire_after_days: String(Number(days)) } : {};
}

function switchIn(name: string, value: unknown): EnteredFields {
  if (value !== '1' && value !== '0') return {};
  return { [name]: value === '1' ? 'on' : 'off' };
}

function isNumberWithin(value: unknown, { min, max }: Bounds): value is string {
  return typeof value === 'string' && /^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max;
}
