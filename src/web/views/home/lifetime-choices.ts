import type { Bounds } from '../../../pushes/create/push-rules.js';
import { DURATION_SCALE } from '../../../pushes/create/duration-scale.js';
import type { TextKey } from '../../../texts/en.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../settings/units.js';

/** A lifetime that the form offers in words. */
export interface LifetimeChoice {
  /** Its name in the query string. */
  name: string;
  /** Its step on the duration scale, which is what the form sends. */
  step: string;
  lifetime: number;
  text: TextKey;
  count: number;
}

const CHOICES: readonly LifetimeChoice[] = [
  choice('15m', 'home.minutes', 15, MINUTE_MS),
  choice('1h', 'home.hours', 1, HOUR_MS),
  choice('1d', 'home.days', 1, DAY_MS),
  choice('7d', 'home.days', 7, DAY_MS),
  choice('30d', 'home.days', 30, DAY_MS),
];

function choice(name: string, text: TextKey, count: number, unit: number): LifetimeChoice {
  const lifetime = count * unit;
  const step = DURATION_SCALE.findIndex((duration) => duration.lifetime === lifetime);
  return { name, step: String(step), lifetime, text, count };
}

/** The choices within the bounds of the instance. */
export function lifetimeChoices({ min, max }: Bounds): LifetimeChoice[] {
  return CHOICES.filter(({ step }) => {
    const days = DURATION_SCALE[Number(step)]?.days ?? 0;
    return days >= min && days <= max;
  });
}

/** The choice that lasts this number of days, if it is offered. */
export function choiceOfDays(choices: LifetimeChoice[], days: string | number): LifetimeChoice | undefined {
  return choices.find(({ lifetime }) => lifetime === Number(days) * DAY_MS);
}

const VIEWS = ['1', '5'];

/** The numbers of views that the form offers, within the bounds of the instance. */
export function viewsChoices({ min, max }: Bounds): string[] {
  return VIEWS.filter((views) => Number(views) >= min && Number(views) <= max);
}
