import { domainToUnicode } from 'node:url';
import { isEmail } from 'class-validator';
import { MAX_EMAIL, User } from './user.entity.js';
import { Problem } from '../../platform/errors/problem.js';

/** What could end an email address in a header, or is invisible: control and format characters, spaces, and syntax. */
const SUSPICIOUS = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\s"(),:;<>[\\\]]/u;

/** What nobody sees in an address, such as what a copied one may bring along. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** By which old mail servers were told to pass a mail on to another one. */
const ROUTE = /[%!]/;

/** Other than ASCII, only what words are made of; without the letters of phonetic alphabets, which look like others. */
const UNUSUAL =
  /[^\p{ASCII}\p{L}\p{M}\p{N}]|[\u0250-\u02ff\u1d00-\u1dbf\u2c60-\u2c7f\ua720-\ua7ff\uab30-\uab6f]/u;

/** Scripts that are written together, as Unicode Technical Standard 39 (section 5.2, Highly Restrictive) has them. */
const TOGETHER = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
  ...'Greek Cyrillic Armenian Hebrew Arabic Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada'
    .split(' ')
    .map((script) => [script]),
  ...'Malayalam Sinhala Thai Lao Tibetan Myanmar Georgian Ethiopic Khmer Thaana'
    .split(' ')
    .map((script) => [script]),
].map((scripts) => {
  const characters = [...scripts, 'Common', 'Inherited'].map((script) => `\\p{Script_Extensions=${script}}`);
  return new RegExp(`^[${characters.join('')}]*$`, 'u');
});

/**
 * What is wrong with the email address of an account that it is to get; undefined when it is valid, before or after
 * normalization.
 */
export function emailError(email: string): Problem | undefined {
  const flaw = emailFlaw(User.normalizeEmail(email));
  return flaw && new Problem(`email_${flaw}`);
}

/**
 * Whether mails about its pushes are sent to an account, or for it to others. Its email address must be known to be its
 * own: that of an account that was created by signing up may be somebody else's.
 */
export function canBeMailed({ emailUnverified, disabledAt }: User): boolean {
  return !emailUnverified && disabledAt === null;
}

/** Whether a mail may be sent to it: it can neither end a header nor look like another one. */
export function isPlainEmail(text: string): boolean {
  return text.length <= MAX_EMAIL && !SUSPICIOUS.test(text) && isEmail(text);
}

/** Whether an account, or a recipient, may get this address, or a mail name it: it has no flaw. */
export function isNewEmail(text: string): boolean {
  return emailFlaw(text) === undefined;
}

/**
 * What is wrong with an address: it is none, or goes elsewhere than to its domain, or it can be taken for another one at
 * a glance, because it has invisible characters, or its local part or a label of its domain mixes scripts.
 * What had such an address before these rules keeps it.
 */
export function emailFlaw(text: string): 'invalid' | 'confusable' | undefined {
  const visible = text.replace(INVISIBLE, '');
  if (!isPlainEmail(visible)) return 'invalid';
  const normal = User.normalizeEmail(visible);
  const at = normal.lastIndexOf('@');
  const [local, domain] = [normal.slice(0, at), normal.slice(at + 1)];
  // an invalid encoding of a domain has no Unicode
  const labels = [...domain.split('.'), ...domainToUnicode(domain).split('.')];
  if (ROUTE.test(local) || labels.includes('')) return 'invalid';
  return visible === text && [local, ...labels].every(isReadable) ? undefined : 'confusable';
}

/** The email address of an account as the sender of something, if it is its own and may be named. */
export function emailToName(sender: User): string | undefined {
  return canBeMailed(sender) && isNewEmail(sender.email) ? sender.email : undefined;
}

function isReadable(part: string): boolean {
  return !UNUSUAL.test(part) && TOGETHER.some((scripts) => scripts.test(part));
}
