import type { Language } from '../../texts/languages.js';

/** A link in a mail, with what it leads to. */
export interface MailLink {
  url: string;
  label: string;
}

/** A mail before it is rendered. */
export interface Mail {
  to: string;
  language: Language;
  subject: string;
  /** Paragraphs, and links that stand alone. */
  parts: (string | MailLink)[];
}
