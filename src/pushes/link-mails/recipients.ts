import { isEmail } from 'class-validator';
import { User } from '../../auth/entities/user.entity.js';
import { languageOfTag } from '../../texts/languages.js';

/** In a request, and of all requests for one push. */
export const MAX_RECIPIENTS = 5;
const MAX_EMAIL = 254;
/** Code units in a text of email addresses that is parsed at all. */
const MAX_TEXT = 2 * MAX_RECIPIENTS * MAX_EMAIL;

/** What could end an email address in a header, or is invisible: control and format characters, spaces, and syntax. */
const SUSPICIOUS = /[\p{C}\p{Z}\s"(),:;<>[\\\]]/u;

/** The error for a push that its client has encrypted: only the client has the whole link. */
export const NOT_WHEN_ENCRYPTED = 'must be empty when client_encrypted is true';

/** Who gets a mail with the link of a push, as the client named them. */
export interface Recipients {
  /** A list, or a text with commas. */
  given: string | string[];
  locale: string | null;
}

/** The fields of the API that name recipients, not validated. */
export interface RecipientFields {
  notify_emails_to?: unknown;
  notify_emails_to_locale?: unknown;
}

/** Whether there is nothing but blank texts in a list, or in a text with commas. */
export function isBlankList(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isBlankList);
  return (value ?? undefined) === undefined || (typeof value === 'string' && isBlank(value));
}

function isBlank(text: string): boolean {
  return text.length <= MAX_TEXT && text.trim() === '';
}

/** What is wrong with the email addresses, each error in a line; undefined when they are valid, or there are none. */
export function emailsError(value: unknown): string | undefined {
  if (isBlankList(value)) return undefined;
  if (typeof value === 'string' && value.length > MAX_TEXT) return TOO_MANY;
  const parts = partsIn(value);
  if (!parts) return 'must be a list of email addresses, or a text with commas between them';
  if (parts.length > MAX_RECIPIENTS) return TOO_MANY;
  const texts = parts.map((part) => part.trim());
  const emails = texts.filter(isRecipientEmail);
  const errors = [
    ...(texts.includes('') ? ['has commas used in the wrong way'] : []),
    ...(hasRepetitions(emails) ? ['contains duplicate emails'] : []),
    ...(texts.some((text) => text !== '' && !isRecipientEmail(text)) ? ['contains invalid email(s)'] : []),
  ];
  return errors.length > 0 ? errors.join('\n') : undefined;
}

const TOO_MANY = `contains more than ${MAX_RECIPIENTS} email(s)`;

/** What is wrong with the locale; undefined when there are mails in its language, or it is absent. */
export function localeError(value: unknown): string | undefined {
  if (isBlankList(value)) return undefined;
  return typeof value === 'string' && languageOfTag(value)
    ? undefined
    : 'is not within the available options';
}

/** Errors of the two fields, of which the second is given only with a locale. */
interface Refusal {
  emails: string;
  locale: string;
}

export const NOT_FOR_UNKNOWN_USERS: Refusal = {
  emails: 'are not allowed for unknown users',
  locale: 'is not allowed for unknown users',
};
export const NOT_FOR_EXPIRED_PUSHES: Refusal = {
  emails: 'are not available for expired pushes',
  locale: 'is not available for expired pushes',
};

/** The errors of fields that name recipients where there may be none. */
export function refusalOf(fields: RecipientFields, { emails, locale }: Refusal): Record<string, string[]> {
  const hasLocale = !isBlankList(fields.notify_emails_to_locale);
  return { notify_emails_to: [emails], ...(hasLocale && { notify_emails_to_locale: [locale] }) };
}

/** The recipients in validated fields; undefined when there are none. */
export function readRecipients(fields: RecipientFields): Recipients | undefined {
  const { notify_emails_to: value, notify_emails_to_locale: locale } = fields;
  if (isBlankList(value)) return undefined;
  return {
    given: typeof value === 'string' ? value : (partsIn(value) ?? []),
    locale: isBlankList(locale) ? null : (locale as string),
  };
}

/** A part of the text, or of the list, for each recipient: the email address, perhaps with spaces around it. */
export function partsOf({ given }: Recipients): string[] {
  return partsIn(given) ?? [];
}

/** The texts in a list that are not blank, or those between commas; undefined when there is anything else. */
function partsIn(value: unknown): string[] | undefined {
  if (typeof value === 'string') return value.split(',');
  if (!Array.isArray(value) || !value.every((part) => typeof part === 'string')) return undefined;
  return value.filter((part) => part.trim() !== '');
}

function isRecipientEmail(text: string): boolean {
  return text.length <= MAX_EMAIL && !SUSPICIOUS.test(text) && isEmail(text);
}

/** Compared as the email addresses of accounts are. */
function hasRepetitions(emails: string[]): boolean {
  return new Set(emails.map((email) => User.normalizeEmail(email))).size < emails.length;
}
