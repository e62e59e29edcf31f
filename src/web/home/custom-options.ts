import type { PushFields } from '../../pushes/fields/push-fields.js';
import { CUSTOM } from '../views/home/chosen.js';

/**
 * Turns the choices of the form into fields of the API: the number typed in counts only if `custom` is chosen. If that
 * number is missing, the field becomes invalid, so that no default replaces it.
 */
export function undoCustomChoices(fields: PushFields): void {
  if (fields.expire_after_views === CUSTOM) fields.expire_after_views = fields.custom_views || CUSTOM;

  const duration = fields.expire_after_duration;
  if (typeof duration !== 'string' || duration === '') return;
  if (duration === CUSTOM) {
    delete fields.expire_after_duration;
    fields.expire_after_days ||= CUSTOM;
  } else {
    delete fields.expire_after_days;
  }
}
