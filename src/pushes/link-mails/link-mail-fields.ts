import { CheckedBy } from '../../http/validation/checked-by.js';
import type { RecipientFields } from './recipients.js';
import { emailsError, isBlankList, localeError } from './recipients.js';
import { Problem } from '../../errors/problem.js';

/** A request to mail the link of an existing push. */
export class LinkMailFields implements RecipientFields {
  @CheckedBy((value) => (isBlankList(value) ? new Problem('recipients_blank') : emailsError(value)))
  notify_emails_to?: unknown;

  @CheckedBy(localeError)
  notify_emails_to_locale?: unknown;
}
