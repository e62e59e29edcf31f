import { NOT_VERIFIED } from '../../auth/users/can-be-mailed.js';
import type { TextKey } from '../../texts/en.js';
import { en } from '../../texts/en.js';
import type { Translator, TextValues } from '../../texts/translator.js';
import { NOT_ENCRYPTED, OWNER_CHANGED } from './form-messages.js';

type Values = (numbers: number[], message: string, t: Translator) => TextValues;

const bounds: Values = ([min = 0, max = 0]) => ({ min, max });
const count: Values = ([count = 0]) => ({ count });
const size: Values = ([bytes = 0], _message, t) => ({ size: t.size(bytes) });

/**
 * The texts of pages for the messages of the rules, which are those of the API. Groups in a pattern are numbers. A test
 * compares the patterns with all messages in the source.
 */
export const ERROR_TEXTS: [message: string | RegExp, key: TextKey, values?: Values][] = [
  ["can't be blank", 'formError.required'],
  ['must be an absolute http or https address', 'formError.address'],
  [/^must be a whole number from (\d+) to (\d+)$/, 'formError.wholeNumber', bounds],
  [/^(?:q )?must have at most (\d+) characters$/, 'formError.tooLong', count],
  [/^(?:q )?must be well-formed Unicode$/, 'formError.invalidText'],
  ['must not contain control characters', 'formError.invalidText'],
  ['must be true or false', 'formError.notAccepted'],
  ['must be a string', 'formError.notAccepted'],
  [/ when client_encrypted is true$/, 'formError.notAccepted'],
  [/^must be one of those enabled here: /, 'formError.kind', kindsIn],
  ['must have at least one file', 'formError.filesNeeded'],
  ['cannot be attached: file pushes are disabled here', 'formError.filesDisabled'],
  [/^must be at most (\d+) files$/, 'formError.tooManyFiles', count],
  [/^must have at most (\d+) bytes each$/, 'formError.fileTooLarge', size],
  [/^must have at most (\d+) bytes in all$/, 'formError.filesTooLarge', size],
  [/^This account may send (\d+) bytes of files a day/, 'formError.fileQuota', size],
  ['Attaching files needs a valid API token.', 'formError.filesNeedAccount'],
  ['Files cannot be stored or read at the moment. Try again later.', 'formError.storeUnavailable'],
  ['This download link is invalid or has expired.', 'formError.download'],

  ['cannot be left blank', 'formError.required'],
  ['contains invalid email(s)', 'formError.recipients'],
  ['has commas used in the wrong way', 'formError.recipients'],
  ['contains duplicate emails', 'formError.recipientsTwice'],
  [/^must be a list of email addresses, /, 'formError.recipients'],
  [/^contains more than (\d+) email\(s\)$/, 'formError.recipientsTooMany', count],
  ['are not available for expired pushes', 'formError.mailEnded'],
  [NOT_VERIFIED, 'formError.notVerified'],
  ['Only the owner may mail this push.', 'formError.mailNotAllowed'],
  [/^You can notify up to (\d+) email/, 'formError.recipientsInAll', count],
  ['The maximum number of emails has been reached for today', 'formError.mailQuota'],
  ['Too many email notification requests. Please try again in a minute.', 'formError.tooManyMailRequests'],
  ['are not allowed for unknown users', 'formError.mailsNeedAccount'],
  ['are not available', 'formError.mailsNotAvailable'],
  [/^must be a list of: /, 'formError.notAccepted'],

  ['This is not an email address.', 'formError.email'],
  ['There is an account with this email address already.', 'formError.emailTaken'],
  [/^A password has (\d+) to (\d+) characters\.$/, 'formError.passwordLength', bounds],
  ['This password is too easy to guess.', 'formError.passwordWeak'],
  ['The two passwords differ.', 'formError.passwordRepeat'],
  ['This is not your password.', 'formError.currentPassword'],
  ['The email address or the password is wrong.', 'formError.signIn'],
  ['Sign in first.', 'formError.signInNeeded'],
  ['A valid API token is needed.', 'formError.signInNeeded'],
  ['This account has just been deleted.', 'formError.accountDeleted'],
  ['There must be another administrator who can sign in.', 'formError.lastAdministrator'],
  ['This account has just been made an administrator.', 'formError.justAdministrator'],
  ['There is no account with this email address.', 'formError.noAccount'],
  ['This link is not valid any more. Ask for a new one.', 'formError.passwordLink'],
  ['This link is for another account. Sign in to that account first.', 'formError.otherAccountsLink'],
  ['Too many mails are being requested from your network. Try again later.', 'formError.tooManyMails'],
  ['This is not the setup code.', 'formError.setupCode'],
  ['Too many wrong codes. Try again later.', 'formError.tooManyCodes'],
  ['Too many wrong passwords. Try again later.', 'formError.tooManyPasswords'],
  ['Too many attempts to change the email address. Try again later.', 'formError.tooManyEmailChanges'],
  ['Too many accounts are being created from your network. Try again later.', 'formError.tooManyAccounts'],

  ['must be an absolute https address', 'formError.httpsAddress'],
  ['must not have a user name or a password before the host', 'formError.userInAddress'],
  ['is not a public address', 'formError.privateAddress'],
  ['Choose at least one event.', 'formError.eventNeeded'],
  [/^At most (\d+) webhooks can be added\.$/, 'formError.tooManyWebhooks', count],
  ['No more webhooks can be added to this installation.', 'formError.noMoreWebhooks'],

  ['This push needs its passphrase.', 'formError.passphraseNeeded'],
  ['The passphrase is wrong.', 'formError.passphraseWrong'],
  ['Too many wrong passphrases. Try again later.', 'formError.tooManyPassphrases'],
  [/^\w+ must be one of: /, 'formError.notAccepted'],
  ['This search is not valid any more. Search again.', 'formError.search'],
  [/^At most (\d+) pushes can be deleted at once\.$/, 'formError.tooManySelected', count],
  ['Only its owner may delete this push.', 'formError.deleteNotAllowed'],
  [OWNER_CHANGED, 'formError.ownerChanged'],
  [NOT_ENCRYPTED, 'endToEnd.required'],
  ['Enter the secret again.', 'formError.secretAgain'],
  ['Enter the passphrase again.', 'formError.passphraseAgain'],
  ['Choose the files again.', 'formError.filesAgain'],
  [
    'This form has already created a push in another account. No new push was created.',
    'formError.createdBefore',
  ],
  ['The push created by this form has expired. No new push was created.', 'formError.formUsed'],

  ['Too many requests. Try again later.', 'formError.tooManyRequests'],
  ['Too many unfinished requests. Try again later.', 'formError.tooManyRequests'],
  ['Too many downloads at the same time. Try again later.', 'formError.tooManyRequests'],
  ['Too many of your requests wait. Try again in a few seconds.', 'formError.tooManyRequests'],
  ['Too many passphrases wait to be checked. Try again later.', 'formError.tooManyRequests'],
  ['Too many passphrases are being checked. Try again.', 'formError.busy'],
  ['The server is busy. Try again in a few seconds.', 'formError.busy'],
  ['The service is too busy to read the body. Try again in a few seconds.', 'formError.busy'],
  ['The service is unavailable for the moment. Try again in a few seconds.', 'formError.unavailable'],
  ['Something went wrong on our side.', 'formError.unexpected'],

  ['This form was sent from another site. Nothing was done.', 'formError.otherSite'],
  ['The body is too large. Files may be larger when sent as multipart.', 'formError.formTooLarge'],
  ['The form has too many or too large fields.', 'formError.formTooLarge'],
  ['Sending the body took too long.', 'formError.formTooSlow'],
  ['The body is not well-formed.', 'formError.formUnreadable'],
  ['The body must not be compressed.', 'formError.formUnreadable'],
  ['The charset must be UTF-8.', 'formError.formUnreadable'],
  [/^The Content-Type must be /, 'formError.formUnreadable'],
  [/^The body must have an object "/, 'formError.formUnreadable'],
  [/^The JSON must not /, 'formError.formUnreadable'],
  [/^(?:A name|The names) in the JSON must not /, 'formError.formUnreadable'],
  [/^The Idempotency-Key must be /, 'formError.formUnreadable'],
  [/^page must be a whole number from 1 to (\d+)$/, 'formError.page', ([max = 0]) => ({ max })],
  ['The address is not well-formed.', 'formError.badAddress'],
  ['The Host header is not well-formed.', 'formError.badAddress'],
  ['There must be one Host header.', 'formError.badAddress'],
];

/** What a page shows for an error message. A message without a text, as of an added module, is shown as it is. */
export function errorText(message: string, t: Translator): string {
  for (const [pattern, key, values] of ERROR_TEXTS) {
    const numbers = numbersIn(message, pattern);
    if (numbers) return t.text(key, values?.(numbers, message, t));
  }
  return message;
}

/** The numbers in a message of this pattern; undefined for any other message. */
export function numbersIn(message: string, pattern: string | RegExp): number[] | undefined {
  if (typeof pattern === 'string') return pattern === message ? [] : undefined;
  return pattern.exec(message)?.slice(1).map(Number);
}

function kindsIn(_numbers: number[], message: string, t: Translator): TextValues {
  const isNamed = (key: string): key is TextKey => key in en;
  const keys = message.split(/[:,] /).map((kind) => `kind.${kind}`);
  return { kinds: t.list(keys.filter(isNamed).map((key) => t.text(key))) };
}
