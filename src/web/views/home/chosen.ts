import type { PushRules } from '../../../pushes/create/push-rules.js';
import { choiceOfDays, lifetimeChoices, viewsChoices } from './lifetime-choices.js';
import type { EnteredFields } from './entered-fields.js';

/** The choice after which a number is typed in. */
export const CUSTOM = 'custom';

/** Which option is chosen, and the number in the field of `custom`. */
export interface Chosen {
  option: string;
  number: string;
}

export function chosenViews(typed: EnteredFields, { views, defaults }: PushRules): Chosen {
  const sent = typed.expire_after_views;
  if (sent === CUSTOM) return { option: CUSTOM, number: typed.custom_views ?? '' };
  const number = sent ?? String(defaults.views);
  return { option: viewsChoices(views).includes(number) ? number : CUSTOM, number };
}

export function chosenLifetime(typed: EnteredFields, { days, defaults }: PushRules): Chosen {
  const choices = lifetimeChoices(days);
  const { expire_after_duration: duration, expire_after_days: sent } = typed;
  if (choices.some(({ step }) => step === duration))
    return { option: duration ?? '', number: String(defaults.days) };
  const number = sent === CUSTOM ? '' : (sent ?? String(defaults.days));
  const choice = duration === CUSTOM ? undefined : choiceOfDays(choices, number);
  return { option: choice?.step ?? CUSTOM, number };
}
