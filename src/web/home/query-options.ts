import type { Bounds, PushRules } from '../../pushes/create/push-rules.js';
import { lifetimeChoices } from './lifetime-choices.js';
import type { Typed } from '../views/home.js';

type Query = Partial<Record<string, unknown>>;

/**
 * The options that a link to the form proposes, as in `/?kind=url&views=1&duration=1h&click=0&deletable=1`. What this
 * instance does not offer is left out, and everything else, such as a secret, is not read at all.
 */
export function termsInQuery(query: Query, rules: PushRules, mayAttach: boolean): Typed {
  return {
    ...kindIn(query.kind, rules, mayAttach),
    ...viewsIn(query.views, rules.views),
    ...durationIn(query.duration, rules.days),
    ...switchIn('retrieval_step', query.click),
    ...switchIn('deletable_by_viewer', query.deletable),
  };
}

function kindIn(kind: unknown, { enabledKinds }: PushRules, mayAttach: boolean): Typed {
  const isOffered = enabledKinds.some((enabled) => enabled === kind) && (kind !== 'file' || mayAttach);
  return isOffered ? { kind: kind as string } : {};
}

function viewsIn(views: unknown, bounds: Bounds): Typed {
  return isNumberWithin(views, bounds) ? { expire_after_views: String(Number(views)) } : {};
}

function durationIn(duration: unknown, bounds: Bounds): Typed {
  const named = lifetimeChoices(bounds).find(({ name }) => name === duration);
  if (named) return { expire_after_duration: named.step };
  const days = typeof duration === 'string' && duration.endsWith('d') ? duration.slice(0, -1) : undefined;
  return isNumberWithin(days, bounds) ? { expire_after_days: String(Number(days)) } : {};
}

function switchIn(name: string, value: unknown): Typed {
  if (value !== '1' && value !== '0') return {};
  return { [name]: value === '1' ? 'on' : 'off' };
}

function isNumberWithin(value: unknown, { min, max }: Bounds): value is string {
  return typeof value === 'string' && /^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max;
}
