import { OWNER_CHANGED } from '../form-owner.js';
import type { TextKey } from './en.js';
import { en } from './en.js';
import type { Translator, TextValues } from './translator.js';

type Values = (numbers: number[], message: string, t: Translator) => TextValues;

const bounds: Values = ([min = 0, max = 0]) => ({ min, max });
const count: Values = ([count = 0]) => ({ count });
const size: Values = ([bytes = 0], _message, t) => ({ size: t.size(bytes) });

/** The texts of pages for the messages of the rules, which are those of the API. Groups in a pattern are numbers. */
const TEXTS: [message: string | RegExp, key: TextKey, values?: Values][] = [
  ["can't be blank", 'fault.required'],
  ['must be an absolute http or https address', 'fault.address'],
  [/^must be a whole number from (\d+) to (\d+)$/, 'fault.wholeNumber', bounds],
  [/^(?:q )?must have at most (\d+) characters$/, 'fault.tooLong', count],
  [/^(?:q )?must be well-formed Unicode$/, 'fault.invalidText'],
  ['must not contain control characters', 'fault.invalidText'],
  ['must be true or false', 'fault.notAccepted'],
  ['must be a string', 'fault.notAccepted'],
  [/^must be one of those enabled here: /, 'fault.kind', kindsIn],
  ['must have at least one file', 'fault.filesNeeded'],
  ['cannot be attached: file pushes are disabled here', 'fault.filesDisabled'],
  [/^must be at most (\d+) files$/, 'fault.tooManyFiles', count],
  [/^must have at most (\d+) bytes each$/, 'fault.fileTooLarge', size],
  [/^must have at most (\d+) bytes in all$/, 'fault.filesTooLarge', size],
  [/^This account may send (\d+) bytes of files a day/, 'fault.fileQuota', size],
  ['Attaching files needs a valid API token.', 'fault.filesNeedAccount'],
  ['Files cannot be stored or read at the moment. Try again later.', 'fault.storeUnavailable'],
  ['This download link is invalid or has expired.', 'fault.download'],

  ['This is not an email address.', 'fault.email'],
  ['There is an account with this email address already.', 'fault.emailTaken'],
  [/^A password has (\d+) to (\d+) characters\.$/, 'fault.passwordLength', bounds],
  ['This password is too easy to guess.', 'fault.passwordWeak'],
  ['The two passwords differ.', 'fault.passwordRepeat'],
  ['This is not your password.', 'fault.currentPassword'],
  ['The email address or the password is wrong.', 'fault.signIn'],
  ['Sign in first.', 'fault.signInNeeded'],
  ['A valid API token is needed.', 'fault.signInNeeded'],
  ['This account has just been deleted.', 'fault.accountDeleted'],
  ['Too many wrong passwords. Try again later.', 'fault.tooManyPasswords'],
  ['Too many accounts are being created from your network. Try again later.', 'fault.tooManyAccounts'],

  ['This push needs its passphrase.', 'fault.passphraseNeeded'],
  ['The passphrase is wrong.', 'fault.passphraseWrong'],
  ['Too many wrong passphrases. Try again later.', 'fault.tooManyPassphrases'],
  [/^\w+ must be one of: /, 'fault.notAccepted'],
  ['This search is not valid any more. Search again.', 'fault.search'],
  [/^At most (\d+) pushes can be deleted at once\.$/, 'fault.tooManySelected', count],
  ['Only its owner may delete this push.', 'fault.deleteNotAllowed'],
  [OWNER_CHANGED, 'fault.ownerChanged'],
  ['Enter the secret again.', 'fault.secretAgain'],
  ['Enter the passphrase again.', 'fault.passphraseAgain'],
  ['Choose the files again.', 'fault.filesAgain'],
  ['The push created by this form has expired. No new push was created.', 'fault.formUsed'],

  ['Too many requests. Try again later.', 'fault.tooManyRequests'],
  ['Too many unfinished requests. Try again later.', 'fault.tooManyRequests'],
  ['Too many of your requests wait. Try again in a few seconds.', 'fault.tooManyRequests'],
  ['Too many passphrases wait to be checked. Try again later.', 'fault.tooManyRequests'],
  ['Too many passphrases are being checked. Try again.', 'fault.busy'],
  ['The server is busy. Try again in a few seconds.', 'fault.busy'],
  ['The service is too busy to read the body. Try again in a few seconds.', 'fault.busy'],
  ['The service is unavailable for the moment. Try again in a few seconds.', 'fault.unavailable'],
  ['Something went wrong on our side.', 'fault.unexpected'],

  ['This form was sent from another site. Nothing was done.', 'fault.otherSite'],
  ['The body is too large. Files may be larger when sent as multipart.', 'fault.formTooLarge'],
  ['The form has too many or too large fields.', 'fault.formTooLarge'],
  ['Sending the body took too long.', 'fault.formTooSlow'],
  ['The body is not well-formed.', 'fault.formUnreadable'],
  ['The body must not be compressed.', 'fault.formUnreadable'],
  ['The charset must be UTF-8.', 'fault.formUnreadable'],
  [/^The Content-Type must be /, 'fault.formUnreadable'],
  [/^The body must have an object "/, 'fault.formUnreadable'],
  [/^The JSON must not /, 'fault.formUnreadable'],
  [/^The Idempotency-Key must be /, 'fault.formUnreadable'],
  [/^page must be a whole number from 1 to (\d+)$/, 'fault.page', ([max = 0]) => ({ max })],
  ['The address is not well-formed.', 'fault.badAddress'],
  ['The Host header is not well-formed.', 'fault.badAddress'],
  ['There must be one Host header.', 'fault.badAddress'],
];

/** What a page shows for an error message. A message without a text, as of an added module, is shown as it is. */
export function faultText(message: string, t: Translator): string {
  for (const [pattern, key, values] of TEXTS) {
    const groups = typeof pattern === 'string' ? pattern === message && [] : pattern.exec(message)?.slice(1);
    if (groups) return t.text(key, values?.(groups.map(Number), message, t));
  }
  return message;
}

export function hasFaultText(message: string): boolean {
  return TEXTS.some(([pattern]) =>
    typeof pattern === 'string' ? pattern === message : pattern.test(message),
  );
}

function kindsIn(_numbers: number[], message: string, t: Translator): TextValues {
  const isNamed = (key: string): key is TextKey => key in en;
  const keys = message.split(/[:,] /).map((kind) => `kind.${kind}`);
  return { kinds: t.list(keys.filter(isNamed).map((key) => t.text(key))) };
}
