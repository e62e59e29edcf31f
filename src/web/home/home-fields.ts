import { UnprocessableEntityException } from '@nestjs/common';
import { MAX_TEXT } from '../../pushes/create/payload-errors.js';
import type { PushFields } from '../../pushes/fields/push-fields.js';
import { undoCustomChoices } from './custom-options.js';
import { Problem } from '../../errors/problem.js';

const TEXTS = ['payload', 'note'];
/** Code units from which a text is rejected even after its line breaks are converted, so conversion is skipped. */
const TOO_LONG = 2 * MAX_TEXT + 1;

export const CHECKBOXES = ['deletable_by_viewer', 'retrieval_step'];

/**
 * Turns the fields of the form on the front page, as browsers send them, into those of the API, and rejects a form that
 * lost its passphrase.
 */
export function prepareHomeFields(fields: PushFields): void {
  undoLineBreaks(fields);
  for (const name of CHECKBOXES) fields[name] ??= false; // one that is not ticked is not sent
  undoCustomChoices(fields);
  if (needsPassphrase(fields) && !fields.passphrase) {
    throw new UnprocessableEntityException({ passphrase: [new Problem('enter_passphrase_again')] });
  }
}

/** A form that was rejected comes back without its passphrase, but with this flag. */
export function needsPassphrase({ passphrase_was_set: flag, passphrase }: PushFields): boolean {
  return Boolean(flag) || Boolean(passphrase);
}

/** A line feed is sent as CRLF. */
function undoLineBreaks(fields: PushFields): void {
  for (const name of TEXTS) {
    const text = fields[name];
    if (typeof text === 'string' && text.length < TOO_LONG) fields[name] = text.replace(/\r\n/g, '\n');
  }
}
