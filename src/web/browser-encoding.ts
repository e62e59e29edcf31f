import { LONGEST_TEXT } from '../pushes/create/payload-faults.js';
import type { PushFields } from '../pushes/create/push-fields.js';

const TEXTS = ['payload', 'note'];
const CHECKBOXES = ['deletable_by_viewer', 'retrieval_step'];
/** Code units of a text that is refused, also when each of its line breaks is one: it need not be looked through. */
const TOO_LONG = 2 * LONGEST_TEXT + 1;

/**
 * Undoes what browsers do to a form: a line feed is sent as two characters, though it was typed as one, and an
 * unchecked box is not sent at all.
 */
export function undoBrowserEncoding(fields: PushFields): void {
  for (const name of TEXTS) {
    const text = fields[name];
    if (typeof text === 'string' && text.length < TOO_LONG) fields[name] = text.replace(/\r\n/g, '\n');
  }
  for (const name of CHECKBOXES) fields[name] ??= false;
}
