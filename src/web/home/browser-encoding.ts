import { MAX_TEXT } from '../../pushes/create/payload-errors.js';
import type { PushFields } from '../../pushes/create/push-fields.js';
import { undoCustomChoices } from './custom-options.js';

const TEXTS = ['payload', 'note'];
const CHECKBOXES = ['deletable_by_viewer', 'retrieval_step'];
/** Code units from which a text is refused even after its line breaks are converted, so conversion is skipped. */
const TOO_LONG = 2 * MAX_TEXT + 1;

/**
 * Undoes what browsers do to a form: a line feed is sent as CRLF, and an unchecked checkbox is not sent at all.
 */
export function undoBrowserEncoding(fields: PushFields): void {
  for (const name of TEXTS) {
    const text = fields[name];
    if (typeof text === 'string' && text.length < TOO_LONG) fields[name] = text.replace(/\r\n/g, '\n');
  }
  for (const name of CHECKBOXES) fields[name] ??= false;
  undoCustomChoices(fields);
}
