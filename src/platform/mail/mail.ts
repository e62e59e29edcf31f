import type { Language } from '../../texts/languages.js';

/** A link in a mail, with what it leads to. */
export interface MailLink {
  url: string;
  label: string;
}

/** A code in a mail, which people type or copy. */
export interface MailCode {
  code: string;
}

/** A mail before it is rendered. */
export interface Mail {
  to: string;
  language: Language;
  subject: string;
  /** Paragraphs, and links and codes that stand alone. */
  parts: (string | MailLink | MailCode)[];
}
