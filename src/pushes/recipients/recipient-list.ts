import { User } from '../../auth/entities/user.entity.js';
import { Problem } from '../../platform/errors/problem.js';
import { isBlankList, isPlainEmail, partsIn } from '../link-mails/recipients.js';

/** Addresses and domains that a push may name. */
export const MAX_RECIPIENTS = 20;
/** Code units in a text of them that is parsed at all. */
const MAX_TEXT = 2 * MAX_RECIPIENTS * 254;

/** What is wrong with a list of recipients; undefined when it is valid, or blank. */
export function recipientListError(value: unknown): Problem[] | undefined {
  if (isBlankList(value)) return undefined;
  const tooMany = [new Problem('too_many_recipients_named', { count: MAX_RECIPIENTS })];
  if (typeof value === 'string' && value.length > MAX_TEXT) return tooMany;
  const parts = partsIn(value);
  if (!parts) return [new Problem('recipients_not_a_list')];
  if (parts.length > MAX_RECIPIENTS) return tooMany;
  const recipients = parts.map((part) => User.normalizeEmail(part));
  if (!recipients.every(isRecipient)) return [new Problem('recipients_not_addresses')];
  return new Set(recipients).size < recipients.length ? [new Problem('recipients_repeated')] : undefined;
}

/** The recipients in a valid list, as they are stored and compared; undefined when it is blank. */
export function readRecipientList(value: unknown): string[] | undefined {
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
function isRecipient(text: string): boolean {
  return isPlainEmail(text.startsWith('@') ? `x${text}` : text);
}
