import { MAX_EMAIL, User } from '../../auth/entities/user.entity.js';
import { emailFlaw } from '../../auth/entities/emails.js';
import { languageOfTag } from '../../texts/languages.js';
import { Problem } from '../../platform/errors/problem.js';
import { networkText, parseNetwork } from '../../platform/settings/networks.js';
import { isAbsent } from '../../platform/http/validation/validation.pipe.js';

/** Email addresses that get the link of a push, in one request and in all of them. */
export const MAX_MAILED = 5;
/** Code units in a text of email addresses that is parsed at all. */
const MAX_MAILED_TEXT = 2 * MAX_MAILED * MAX_EMAIL;

/** Who gets a mail with the link of a push, as the client named them in `notify_emails_to`. */
export interface MailedTo {
  /** A list, or a text with commas. */
  given: string | string[];
  locale: string | null;
}

/** The fields of the API that name them, not validated. */
export interface MailedToFields {
  notify_emails_to?: unknown;
  notify_emails_to_locale?: unknown;
}

/** Items of a list that is looked at: a body of 13 MiB may have ten thousand. */
const MAX_ITEMS = 100;
/** Code units of an item, or of a blank text, that is looked at. A longer one is nothing that is accepted. */
const MAX_ITEM = 2540;
/** Code units of an entry that are shown in a message about it. */
const MAX_NAMED = 60;

/** Whether there is nothing but blank texts in a list, or in a text with commas. */
export function isBlankList(value: unknown): boolean {
  const items: unknown[] = Array.isArray(value) ? value.flat(Infinity) : [value];
  return (
    items.length <= MAX_ITEMS &&
    items.every((item) => isAbsent(item) || (typeof item === 'string' && trimmed(item) === ''))
  );
}

function hasTooManyItems(value: unknown): boolean {
  return Array.isArray(value) && value.length > MAX_ITEMS;
}

function trimmed(item: string): string {
  return item.length > MAX_ITEM ? item : item.trim();
}

/** What is wrong with `notify_emails_to`; undefined when it is valid, or blank. */
export function mailedToError(value: unknown): Problem[] | undefined {
  if (isBlankList(value)) return undefined;
  if (hasTooManyItems(value) || (typeof value === 'string' && value.length > MAX_MAILED_TEXT))
    return [TOO_MANY];
  const parts = partsIn(value);
  if (!parts) return [new Problem('recipients_malformed')];
  if (parts.length > MAX_MAILED) return [TOO_MANY];
  const texts = parts.map(trimmed);
  const named = texts.filter((text) => text !== '');
  const flaws = named.map(emailFlaw);
  const invalid = named[flaws.indexOf('invalid')];
  const errors = [
    ...(texts.includes('') ? [new Problem('recipients_commas')] : []),
    ...(hasRepetitions(named.filter((_, i) => flaws[i] === undefined))
      ? [new Problem('recipients_repeated')]
      : []),
    ...(invalid !== undefined ? [new Problem('recipients_invalid', { entry: shortened(invalid) })] : []),
    ...(flaws.includes('confusable') && invalid === undefined ? [new Problem('recipients_confusable')] : []),
  ];
  return errors.length > 0 ? errors : undefined;
}

const TOO_MANY = new Problem('too_many_recipients', { count: MAX_MAILED });

/** What is wrong with `notify_emails_to_locale`; undefined when there are mails in its language, or it is absent. */
export function localeError(value: unknown): Problem | undefined {
  if (isBlankList(value)) return undefined;
  return typeof value === 'string' && languageOfTag(value) ? undefined : new Problem('locale_unknown');
}

/** Errors of the two fields, of which the second is given only with a locale. */
interface MailRefusal {
  emails: Problem;
  locale: Problem;
}

export const NOT_FOR_UNKNOWN_USERS: MailRefusal = {
  emails: new Problem('mails_for_unknown_users'),
  locale: new Problem('mail_locale_for_unknown_users'),
};
export const NOT_FOR_EXPIRED_PUSHES: MailRefusal = {
  emails: new Problem('mails_for_expired_push'),
  locale: new Problem('mail_locale_for_expired_push'),
};

/** The errors of these fields where no mails may be asked for. */
export function mailRefusalOf(
  fields: MailedToFields,
  { emails, locale }: MailRefusal,
): Record<string, Problem[]> {
  const hasLocale = !isBlankList(fields.notify_emails_to_locale);
  return { notify_emails_to: [emails], ...(hasLocale && { notify_emails_to_locale: [locale] }) };
}

/** Who is named in validated fields; undefined when nobody is. */
export function readMailedTo(fields: MailedToFields): MailedTo | undefined {
  const { notify_emails_to: value, notify_emails_to_locale: locale } = fields;
  if (isBlankList(value)) return undefined;
  return {
    given: typeof value === 'string' ? value : (partsIn(value) ?? []),
    locale: isBlankList(locale) ? null : (locale as string),
  };
}

/** A part of the text, or of the list, for each of them: the email address, perhaps with spaces around it. */
export function partsOf({ given }: MailedTo): string[] {
  return partsIn(given) ?? [];
}

/** Also those of Arabic, Chinese and Japanese keyboards, which no address has. */
const COMMA = /[,\u060C\uFF0C\u3001]/;

/** The texts in a list that are not blank, or those between commas; undefined when there is anything else. */
function partsIn(value: unknown): string[] | undefined {
  if (typeof value === 'string') return value.split(COMMA);
  return isTextList(value) ? value.filter((part) => trimmed(part) !== '') : undefined;
}

/** An entry as a message about it names it. */
function shortened(entry: string): string {
  const text = trimmed(entry);
  return text.length > MAX_NAMED ? `${text.slice(0, MAX_NAMED)}…` : text;
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((part) => typeof part === 'string');
}

/** Compared as the email addresses of accounts are. */
function hasRepetitions(emails: string[]): boolean {
  return new Set(emails.map((email) => User.normalizeEmail(email))).size < emails.length;
}

/** Addresses and domains that may open a push, in its `recipients`. */
const MAX_RECIPIENTS = 20;
/** Code units in a text of them that is parsed at all. */
const MAX_RECIPIENTS_TEXT = 2 * MAX_RECIPIENTS * MAX_EMAIL;

/** What is wrong with `recipients`; undefined when it is valid, or blank. */
export function recipientsError(value: unknown): Problem[] | undefined {
  if (isBlankList(value)) return undefined;
  const tooMany = [new Problem('too_many_recipients_named', { count: MAX_RECIPIENTS })];
  if (hasTooManyItems(value) || (typeof value === 'string' && value.length > MAX_RECIPIENTS_TEXT))
    return tooMany;
  const parts = partsIn(value);
  if (!parts) return [new Problem('recipients_not_a_list')];
  if (parts.length > MAX_RECIPIENTS) return tooMany;
  const recipients = parts.map((part) => (part.length > MAX_ITEM ? '' : User.normalizeEmail(part)));
  const flaws = recipients.map(recipientFlaw);
  const invalid = parts[flaws.indexOf('invalid')];
  if (invalid !== undefined)
    return [
      trimmed(invalid) === ''
        ? new Problem('recipients_not_addresses')
        : new Problem('recipient_not_address', { entry: shortened(invalid) }),
    ];
  if (flaws.includes('confusable')) return [new Problem('recipient_confusable')];
  return new Set(recipients).size < recipients.length ? [new Problem('recipients_repeated')] : undefined;
}

/** The recipients in a valid list, as they are stored and compared; undefined when it is blank. */
export function readRecipients(value: unknown): string[] | undefined {
  return isBlankList(value) ? undefined : (partsIn(value) ?? []).map((part) => User.normalizeEmail(part));
}

/**
 * The recipient that an email address is, which may be its whole domain; undefined for anybody else.
 * @param email as it is stored
 */
export function recipientFor(email: string, recipients: string[]): string | undefined {
  return [email, email.slice(email.lastIndexOf('@'))].find((name) => recipients.includes(name));
}

/** Subdomains of a domain are not meant by it. */
function recipientFlaw(text: string) {
  return emailFlaw(text.startsWith('@') ? `x${text}` : text);
}

const MAX_NETWORKS = 20;
/** Characters of a list in one text that is read at all. */
const MAX_NETWORKS_TEXT = 2000;

/** What is wrong with the networks from which a push can be opened, a list or a text with commas or spaces. */
export function networksError(value: unknown): Problem | undefined {
  const tooMany = () => new Problem('too_many_networks', { count: MAX_NETWORKS });
  if (hasTooManyItems(value)) return tooMany();
  const parts = networkTextsIn(value);
  if (!parts) return new Problem('networks_malformed');
  if (parts.length > MAX_NETWORKS) return tooMany();
  return parts.every(parseNetwork) ? undefined : new Problem('networks_malformed');
}

/** Those of a valid value, each once; null for none, which allows all. */
export function readNetworks(value: unknown): string[] | null {
  const texts = (networkTextsIn(value) ?? []).flatMap((part) => {
    const network = parseNetwork(part);
    return network ? [networkText(network)] : [];
  });
  return texts.length > 0 ? [...new Set(texts)] : null;
}

/** Spaces and commas, also those of Arabic, Chinese and Japanese keyboards. */
const SEPARATORS = /[\s,\u060C\uFF0C\u3001]+/;

/** The texts in a list, or in a text, that are not blank; undefined for any other value. */
function networkTextsIn(value: unknown): string[] | undefined {
  if (isAbsent(value)) return [];
  if (typeof value === 'string')
    return value.length > MAX_NETWORKS_TEXT ? undefined : value.split(SEPARATORS).filter(Boolean);
  return isTextList(value) ? value.map(trimmed).filter(Boolean) : undefined;
}
