import type { Bounds } from '../../platform/http/validation/validation.pipe.js';
import type { PushRules } from '../../pushes/create/push-rules.js';
import { DURATION_SCALE } from '../../pushes/create/create-push.dto.js';
import type { Translator } from '../../texts/translator.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/settings/units.js';
import type { FormFields } from '../components/filled-form.js';

/** The rules of the instance that the form shows, as far as this visitor may use them. */
export type FormRules = Pick<PushRules, 'days' | 'views' | 'hours' | 'defaults' | 'enabledKinds' | 'files'>;

/** The same with the fields that this visitor cannot leave as they are. */
export type VisitorRules = FormRules & { required: Set<string> };

type Query = Partial<Record<string, unknown>>;

/**
 * The options that a link to the form proposes, as in `/?kind=url&views=1&duration=1h&click=0&deletable=1`. What this
 * instance does not offer is left out, and everything else, such as a secret, is not read at all.
 */
export function optionsInQuery(query: Query, rules: FormRules): FormFields {
  return {
    ...kindIn(query.kind, rules),
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
export function pathWithOptions(typed: FormFields, rules: FormRules): string {
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
      Object.keys(optionsInQuery(Object.fromEntries([entry]), rules)).length > 0,
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

function kindIn(kind: unknown, { enabledKinds }: FormRules): FormFields {
  return enabledKinds.some((enabled) => enabled === kind) ? { kind: kind as string } : {};
}

function viewsIn(views: unknown, bounds: Bounds): FormFields {
  return isNumberWithin(views, bounds) ? { expire_after_views: String(Number(views)) } : {};
}

function durationIn(duration: unknown, bounds: Bounds): FormFields {
  const named = lifetimeChoices(bounds).find(({ name }) => name === duration);
  if (named) return { expire_after_duration: named.step };
  const days = typeof duration === 'string' && duration.endsWith('d') ? duration.slice(0, -1) : undefined;
  return isNumberWithin(days, bounds) ? { expire_after_days: String(Number(days)) } : {};
}

function switchIn(name: string, value: unknown): FormFields {
  if (value !== '1' && value !== '0') return {};
  return { [name]: value === '1' ? 'on' : 'off' };
}

function isNumberWithin(value: unknown, { min, max }: Bounds): value is string {
  return typeof value === 'string' && /^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max;
}

/** The choice after which a number is typed in. */
export const CUSTOM = 'custom';

/** Which option is chosen, and the number in the field of `custom`. */
export interface Chosen {
  option: string;
  number: string;
}

export function chosenViews(typed: FormFields, { views, defaults }: FormRules): Chosen {
  const sent = typed.expire_after_views;
  if (sent === CUSTOM) return { option: CUSTOM, number: typed.custom_views ?? '' };
  const number = sent ?? String(defaults.views);
  return { option: viewsChoices(views).includes(number) ? number : CUSTOM, number };
}

export function chosenLifetime(typed: FormFields, { days, defaults }: FormRules): Chosen {
  const choices = lifetimeChoices(days);
  const { expire_after_duration: duration, expire_after_days: sent } = typed;
  if (choices.some(({ step }) => step === duration))
    return { option: duration ?? '', number: String(defaults.days) };
  const number = sent === CUSTOM ? '' : (sent ?? String(defaults.days));
  const choice = duration === CUSTOM ? undefined : choiceOfDays(choices, number);
  return { option: choice?.step ?? CUSTOM, number };
}

/** A lifetime that the form offers in words. */
interface LifetimeChoice {
  /** Its name in the query string. */
  name: string;
  /** Its step on the duration scale, which is what the form sends. */
  step: string;
  lifetime: number;
}

const CHOICES: readonly LifetimeChoice[] = [
  choice('15m', 15 * MINUTE_MS),
  choice('1h', HOUR_MS),
  choice('1d', DAY_MS),
  choice('7d', 7 * DAY_MS),
  choice('30d', 30 * DAY_MS),
];

function choice(name: string, lifetime: number): LifetimeChoice {
  const step = DURATION_SCALE.findIndex((duration) => duration.lifetime === lifetime);
  return { name, step: String(step), lifetime };
}

/** Such as "7 days", in the largest unit. */
export function lifetimeInWords(lifetime: number, t: Translator): string {
  if (lifetime >= DAY_MS) return t.text('home.days', { count: lifetime / DAY_MS });
  if (lifetime >= HOUR_MS) return t.text('home.hours', { count: lifetime / HOUR_MS });
  return t.text('home.minutes', { count: lifetime / MINUTE_MS });
}

/** The choices within the bounds of the instance. */
export function lifetimeChoices({ min, max }: Bounds): LifetimeChoice[] {
  return CHOICES.filter(({ step }) => {
    const days = DURATION_SCALE[Number(step)]?.days ?? 0;
    return days >= min && days <= max;
  });
}

/** The choice that lasts this number of days, if it is offered. */
function choiceOfDays(choices: LifetimeChoice[], days: string | number): LifetimeChoice | undefined {
  return choices.find(({ lifetime }) => lifetime === Number(days) * DAY_MS);
}

const VIEWS = ['1', '2', '5', '10'];

/** The numbers of views that the form offers, within the bounds of the instance. */
export function viewsChoices({ min, max }: Bounds): string[] {
  return VIEWS.filter((views) => Number(views) >= min && Number(views) <= max);
}
