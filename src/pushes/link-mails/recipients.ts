import { isEmail } from 'class-validator';
import { User } from '../../auth/entities/user.entity.js';
import type { Language } from '../../texts/languages.js';
import { DEFAULT_LANGUAGE, languageOfTag } from '../../texts/languages.js';

const MAX_RECIPIENTS = 5;
const MAX_EMAIL = 254;
/** Code units in a text of email addresses that is parsed at all. */
const MAX_TEXT = 2 * MAX_RECIPIENTS * MAX_EMAIL;

/** What could end an email address in a header, or is invisible: control and format characters, spaces, and syntax. */
const SUSPICIOUS = /[\p{C}\p{Z}\s"(),:;<>[\\\]]/u;

/** The error for a push that its client has encrypted: only the client has the whole link. */
export const NOT_WHEN_ENCRYPTED = 'must be empty when client_encrypted is true';

/** Who gets a mail with the link of a push. */
export interface Recipients {
  emails: string[];
  language: Language;
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

/** What is wrong with the email addresses; undefined when they are valid, or there are none. */
export function emailsError(value: unknown): string | undefined {
  if (isBlankList(value)) return undefined;
  if (typeof value === 'string' && value.length > MAX_TEXT) return TOO_MANY;
  const texts = textsIn(value);
  if (!texts) return 'must be a list of email addresses, or a text with commas between them';
  if (texts.length > MAX_RECIPIENTS) return TOO_MANY;
  return texts.every(isRecipientEmail) ? undefined : 'must be valid email addresses';
}

const TOO_MANY = `must be at most ${MAX_RECIPIENTS} email addresses`;

/** What is wrong with the locale; undefined when it is well-formed, or absent. */
export function localeError(value: unknown): string | undefined {
  if (isBlankList(value)) return undefined;
  return typeof value === 'string' && languageOfTag(value) ? undefined : 'must be a locale, such as en or de';
}

/** The recipients in validated fields, each once; undefined when there are none. */
export function readRecipients(fields: RecipientFields): Recipients | undefined {
  if (isBlankList(fields.notify_emails_to)) return undefined;
  const emails = withoutRepetitions(textsIn(fields.notify_emails_to) ?? []);
  const locale = (fields.notify_emails_to_locale ?? '') as string;
  return { emails, language: languageOfTag(locale) ?? DEFAULT_LANGUAGE };
}

/** The texts in a list, or between commas, that are not blank; undefined when there is anything else. */
function textsIn(value: unknown): string[] | undefined {
  const parts = typeof value === 'string' ? value.split(',') : value;
  if (!Array.isArray(parts) || !parts.every((part) => typeof part === 'string')) return undefined;
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

function isRecipientEmail(text: string): boolean {
  return text.length <= MAX_EMAIL && !SUSPICIOUS.test(text) && isEmail(text);
}

/** Compared as the email addresses of accounts are. */
function withoutRepetitions(emails: string[]): string[] {
  const normal = emails.map((email) => User.normalizeEmail(email));
  return emails.filter((_email, i) => normal.indexOf(normal[i] ?? '') === i);
}
