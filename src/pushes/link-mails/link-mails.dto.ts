import type { Language } from '../../texts/languages.js';
import type { Recipients } from './recipients.js';

/** The mails that will be sent. */
export class LinkMailsDto {
  /** The addresses, each once. */
  notify_emails_to: string[];
  /** The language of the mails. */
  notify_emails_to_locale: Language;

  static of({ emails, language }: Recipients): LinkMailsDto {
    return { notify_emails_to: emails, notify_emails_to_locale: language };
  }
}
