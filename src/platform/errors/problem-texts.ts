import type { TextKey } from '../../texts/text-parameters.js';

interface Range {
  min: number;
  max: number;
}

interface Count {
  count: number;
}

interface Entry {
  /** What is wrong in a list, as it was written. */
  entry: string;
}

/** Of the API, about an entry that only the text of pages names. No function makes them: pages' scripts leave them out. */
const NO_EMAIL: (entry: Entry) => string = () => 'contains invalid email(s)';
const NO_RECIPIENT: (entry: Entry) => string = () =>
  'must each be an email address, or a domain such as @example.com';

interface Bytes {
  bytes: number;
}

export type ApiText = string | ((values: never) => string);

/**
 * By code, the message in the API, the key of the text in the pages or null, and the field of forms that it is about if
 * that is the same in each form.
 */
export type ProblemTexts = Readonly<
  Record<string, readonly [api: ApiText, page: TextKey | null, field?: string]>
>;

/**
 * The message of each problem in the API, and the key of its text in the pages. Without a key, the problem is in no page,
 * or its message is shown there as it is. The text has the same parameters, but `size` for `bytes`.
 */
export const PROBLEM_TEXTS = {
  // fields
  blank: ["can't be blank", 'formError.required'],
  not_a_string: ['must be a string', 'formError.notAccepted'],
  not_a_boolean: ['must be true or false', 'formError.notAccepted'],
  out_of_range: [
    ({ min, max }: Range) => `must be a whole number from ${min} to ${max}`,
    'formError.wholeNumber',
  ],
  too_long: [({ count }: Count) => `must have at most ${count} characters`, 'formError.tooLong'],
  malformed_text: ['must be well-formed Unicode', 'formError.invalidText'],
  control_characters: ['must not contain control characters', 'formError.invalidText'],

  not_a_time: ['must be a time with its zone, such as 2027-01-31T09:00:00Z', 'formError.time'],
  not_in_future: ['must be in the future', 'formError.notInFuture'],

  // of a push
  kind_disabled: [
    ({ kinds }: { kinds: readonly string[] }) => `must be one of those enabled here: ${kinds.join(', ')}`,
    'formError.kind',
  ],
  not_a_web_address: ['must be an absolute http or https address', 'formError.address'],
  web_address_with_space: ['must be an absolute http or https address', 'formError.addressWithSpace'],
  duration_out_of_range: [({ min, max }: Range) => `must stand for ${min} to ${max} days`, null],
  opens_after_end: ['must be before the push ends', 'formError.opensAfterEnd'],
  networks_malformed: [
    'must be a list of IP addresses or networks such as 192.0.2.0/24, or a text with commas between them',
    'formError.networks',
  ],
  too_many_networks: [
    ({ count }: Count) => `must be at most ${count} addresses or networks`,
    'formError.tooManyNetworks',
  ],
  not_changeable: ['cannot be changed', 'formError.notAccepted'],
  views_only_fewer: [
    ({ min, max }: Range) =>
      `must be a whole number from ${min} to ${max}: not more than now, and more than are counted`,
    'formError.viewsOnlyFewer',
  ],
  end_only_earlier: [
    'must be in the future, not later than expires_at is now, and later than opens_at',
    'formError.endOnlyEarlier',
  ],
  not_open_yet: [({ at }: { at: string }) => `This secret can be opened from ${at} on.`, 'open.notYet'],
  network_not_allowed: [
    'This secret can be opened only from networks that its sender has chosen.',
    'open.otherNetwork',
  ],
  kind_not_encrypted: [
    'must be text, or file with files, when client_encrypted is true',
    'formError.notAccepted',
  ],
  payload_not_encrypted: [
    ({ requirement }: { requirement: string }) =>
      `must be an armoured age file ${requirement}, when client_encrypted is true`,
    'formError.notAccepted',
  ],
  files_not_encrypted: [
    ({ requirement }: { requirement: string }) =>
      `must each be an age file ${requirement}, when client_encrypted is true`,
    'formError.notAccepted',
  ],
  passphrase_invisible: [
    'must have a character that can be seen, not only spaces and invisible ones',
    'formError.invisiblePassphrase',
  ],
  passphrase_not_a_proof: [
    'must be 43 characters of base64url when client_encrypted is true',
    'formError.notAccepted',
  ],
  not_encrypted_in_browser: [
    'Secrets must be encrypted in the browser here. No push was created.',
    'endToEnd.required',
  ],
  enter_secret_again: ['Enter the secret again.', 'formError.secretAgain'],
  enter_passphrase_again: ['Enter the passphrase again.', 'formError.passphraseAgain'],
  choose_files_again: ['Choose the files again.', 'formError.filesAgain'],
  owner_changed: [
    'Your account has changed since this form was shown. No push was created.',
    'formError.ownerChanged',
  ],
  created_for_other_account: [
    'This form has already created a push in another account. No new push was created.',
    'formError.createdBefore',
  ],
  created_push_expired: [
    'The push created by this form has expired. No new push was created.',
    'formError.formUsed',
  ],
  not_your_push: ['Only its owner may delete this push.', 'formError.deleteNotAllowed'],
  delete_not_allowed: ['Only the owner may delete this push.', null],
  delete_needs_token: ['Only the owner may delete this push. A valid API token is needed.', null],
  audit_log_not_allowed: ['Only the owner may read the audit log.', null],
  passphrase_needed: ['This push needs its passphrase.', 'formError.passphraseNeeded', 'passphrase'],
  passphrase_wrong: ['The passphrase is wrong.', 'formError.passphraseWrong', 'passphrase'],
  code_needed: [
    'This push opens for its recipients only. Ask for a code with POST /api/v2/pushes/TOKEN/code, and send the headers X-Push-Recipient and X-Push-Code.',
    'formError.openCodeNeeded',
    'email',
  ],
  open_code_wrong: ['The code is wrong, has been used or is too old.', 'formError.openCode', 'code'],
  recipient_header_malformed: ['X-Push-Recipient must be percent-encoded UTF-8.', null],
  passphrase_given_twice: ['passphrase must be given once.', null],
  passphrase_header_malformed: ['X-Push-Passphrase must be percent-encoded UTF-8.', null],

  // who may create, and what
  creating_not_from_here: ['Nothing can be created from your network (CREATORS).', 'formError.notFromHere'],
  creating_not_with_email: [
    'This account may create nothing: its email address is of another domain, or not verified (CREATOR_DOMAINS).',
    'formError.notWithEmail',
  ],
  creating_not_in_group: [
    ({ group }: { group: string }) => `This account may create nothing, because it is in the group ${group}.`,
    'formError.notInGroup',
  ],
  required_here: [
    ({ setting }: { setting: string }) => `is required here (${setting})`,
    'formError.requiredHere',
  ],
  required_in_group: [
    ({ group }: { group: string }) => `is required in the group ${group}`,
    'formError.requiredInGroup',
  ],
  must_be_true_here: [
    ({ setting }: { setting: string }) => `must be true here (${setting})`,
    'formError.requiredHere',
  ],
  must_be_true_in_group: [
    ({ group }: { group: string }) => `must be true in the group ${group}`,
    'formError.requiredInGroup',
  ],
  too_large_for_group: [
    ({ min, max, group }: Range & { group: string }) =>
      `must be a whole number from ${min} to ${max} in the group ${group}`,
    'formError.numberInGroup',
  ],
  too_many_days_for_group: [
    ({ min, max, group }: Range & { group: string }) =>
      `must stand for ${min} to ${max} days in the group ${group}`,
    'formError.daysInGroup',
  ],
  group_name_taken: ['Another group has this name.', 'formError.groupNameTaken'],
  too_many_groups: [({ count }: Count) => `There can be ${count} groups.`, 'formError.tooManyGroups'],

  // of what browsers encrypt
  recipient_not_age: ['must be an age recipient (age1…)', 'formError.recipientNotAge'],

  // files
  files_malformed: [
    'must be an array of objects with filename, content in base64 and, if known, content_type',
    null,
  ],
  files_needed: ['must have at least one file', 'formError.filesNeeded'],
  uploads_malformed: [
    'must be a list of the ids or URLs of finished uploads, at most as many as files',
    'formError.notAccepted',
  ],
  files_disabled: ['cannot be attached: file pushes are disabled here', 'formError.filesDisabled'],
  files_need_token: ['Attaching files needs a valid API token.', 'formError.filesNeedAccount', 'files'],
  too_many_files: [({ count }: Count) => `must be at most ${count} files`, 'formError.tooManyFiles'],
  file_too_large: [({ bytes }: Bytes) => `must have at most ${bytes} bytes each`, 'formError.fileTooLarge'],
  files_too_large: [
    ({ bytes }: Bytes) => `must have at most ${bytes} bytes in all`,
    'formError.filesTooLarge',
  ],
  upload_quota_exceeded: [
    ({ bytes }: Bytes) => `This account may send ${bytes} bytes of files a day (UTC). Try again tomorrow.`,
    'formError.fileQuota',
  ],
  files_unavailable: [
    'Files cannot be stored or read at the moment. Try again later.',
    'formError.storeUnavailable',
  ],
  download_link_invalid: ['This download link is invalid or has expired.', 'formError.download'],
  range_not_satisfiable: ['The file has no such range.', null],

  // mails with links, and notices
  recipients_blank: ['cannot be left blank', 'formError.required'],
  recipients_malformed: [
    'must be a list of email addresses, or a text with commas between them',
    'formError.recipients',
  ],
  recipients_invalid: [NO_EMAIL, 'formError.notAnEmail'],
  recipients_confusable: ['contains invalid email(s)', 'formError.emailConfusable'],
  recipients_commas: ['has commas used in the wrong way', 'formError.recipients'],
  recipients_repeated: ['contains duplicate emails', 'formError.recipientsTwice'],
  too_many_recipients: [
    ({ count }: Count) => `contains more than ${count} email(s)`,
    'formError.recipientsTooMany',
  ],
  too_many_recipients_in_all: [
    ({ count, before }: Count & { before: number }) =>
      `You can notify up to ${count} email(s) and you have already sent emails to ${before} recipients`,
    'formError.recipientsInAll',
  ],
  recipients_not_a_list: [
    'must be a list of email addresses and domains, or a text with commas between them',
    'formError.recipientList',
  ],
  recipients_not_addresses: [
    'must each be an email address, or a domain such as @example.com',
    'formError.recipientList',
  ],
  recipient_not_address: [NO_RECIPIENT, 'formError.notARecipient'],
  recipient_confusable: [
    'must each be an email address, or a domain such as @example.com',
    'formError.emailConfusable',
  ],
  too_many_recipients_named: [
    ({ count }: Count) => `must have at most ${count} entries`,
    'formError.recipientListTooLong',
  ],
  once_needs_recipients: ['must be false when there are no recipients', 'formError.onceNeedsRecipients'],
  recipients_only_at_creation: [
    'can only be changed where the push was created with some',
    'formError.notAccepted',
  ],
  recipients_when_owner_only: ['must be empty for what only its owner can open', 'formError.notAccepted'],
  recipients_when_encrypted: ['must be empty when client_encrypted is true', 'formError.notAccepted'],
  locale_unknown: ['is not within the available options', null],
  mails_unavailable: ['are not available', 'formError.mailsNotAvailable'],
  mail_locale_unavailable: ['is not available', null],
  mails_for_unknown_users: ['are not allowed for unknown users', 'formError.mailsNeedAccount'],
  mail_locale_for_unknown_users: ['is not allowed for unknown users', null],
  mails_for_expired_push: ['are not available for expired pushes', 'formError.mailEnded'],
  mail_locale_for_expired_push: ['is not available for expired pushes', null],
  mails_need_verified_email: ['need an account with a verified email address', 'formError.notVerified'],
  mail_not_allowed: ['Only the owner may mail this push.', 'formError.mailNotAllowed'],
  mail_quota_exceeded: ['The maximum number of emails has been reached for today', 'formError.mailQuota'],
  too_many_mail_requests: [
    'Too many email notification requests. Please try again in a minute.',
    'formError.tooManyMailRequests',
  ],
  notices_unknown: [
    ({ events }: { events: readonly string[] }) => `must be a list of: ${events.join(', ')}`,
    'formError.notAccepted',
  ],

  // accounts
  token_needed: ['A valid API token is needed.', 'formError.signInNeeded'],
  sign_in_needed: ['Sign in first.', 'formError.signInNeeded'],
  sign_in_failed: ['The email address or the password is wrong.', 'formError.signIn'],
  email_invalid: ['This is not an email address.', 'formError.email'],
  email_confusable: [
    'The email address has invisible characters, or letters that look like others.',
    'formError.emailConfusable',
  ],
  email_taken: ['There is an account with this email address already.', 'formError.emailTaken'],
  password_length: [
    ({ min, max }: Range) => `A password has ${min} to ${max} characters.`,
    'formError.passwordLength',
  ],
  password_weak: ['This password is too easy to guess.', 'formError.passwordWeak'],
  passwords_differ: ['The two passwords differ.', 'formError.passwordRepeat'],
  code_wrong: ['This code is wrong, has been used or is too old.', 'formError.code'],
  passkey_wrong: ['The passkey was not accepted. Try again.', 'formError.passkey'],
  passkey_unverified: [
    'This passkey has checked no PIN, fingerprint or face, so it does not sign in without a password.',
    'formError.passkeyUnverified',
  ],
  passkey_exists: ['This passkey has been added already.', 'formError.passkeyExists'],
  too_many_passkeys: [
    ({ count }: Count) => `An account can have ${count} passkeys.`,
    'formError.tooManyPasskeys',
  ],
  authenticator_exists: ['The account has an authenticator app already.', 'formError.authenticatorExists'],
  no_second_factor: ['The account has no second factor.', 'formError.noSecondFactor'],
  setup_ended: ['This took too long. Scan the new code.', 'formError.setupEnded'],
  second_factor_needed: [
    'This account must set up a second factor on the pages first.',
    'formError.secondFactorNeeded',
  ],
  reauthentication_needed: ['This needs your password or second factor once more.', 'formError.proofNeeded'],
  identity_unknown: ['This account belongs to nobody at the sign-in provider.', 'formError.noIdentity'],
  current_password_wrong: ['This is not your password.', 'formError.currentPassword'],
  account_unknown: ['There is no account with this email address.', 'formError.noAccount'],
  account_owner_unknown: [
    'This account was created by signing up, and the owner of its email address has not been verified. ' +
      'Use --existing if you know whose account it is.',
    null,
  ],
  account_deleted: ['This account has just been deleted.', 'formError.accountDeleted'],
  token_limited: ['This API token may not be used for that: it is limited to something else.', null],
  last_administrator: ['There must be another administrator who can sign in.', 'formError.lastAdministrator'],
  administrator_needs_password: ['The first administrator needs a way to sign in.', null],
  became_administrator: ['This account has just been made an administrator.', 'formError.justAdministrator'],
  link_invalid: ['This link is not valid any more. Ask for a new one.', 'formError.passwordLink'],
  link_of_other_account: [
    'This link is for another account. Sign in to that account first.',
    'formError.otherAccountsLink',
  ],

  // lists
  page_out_of_range: [
    ({ max }: { max: number }) => `page must be a whole number from 1 to ${max}`,
    'formError.page',
  ],
  option_unknown: [
    ({ name, options }: { name: string; options: readonly string[] }) =>
      `${name} must be one of: ${options.join(', ')}`,
    'formError.notAccepted',
  ],
  search_too_long: [({ count }: Count) => `q must have at most ${count} characters`, 'formError.tooLong'],
  search_malformed: ['q must be well-formed Unicode', 'formError.invalidText'],
  search_not_a_string: ['q must be a string', 'formError.notAccepted'],
  search_invalid: ['This search is not valid any more. Search again.', 'formError.search'],
  too_many_selected: [
    ({ count }: Count) => `At most ${count} pushes can be deleted at once.`,
    'formError.tooManySelected',
  ],
  audit_after_malformed: ['after must be the id of an entry of the audit log, or 0', null],
  audit_limit_out_of_range: [
    ({ max }: { max: number }) => `limit must be a whole number from 1 to ${max}`,
    null,
  ],

  // limits
  too_many_requests: ['Too many requests. Try again later.', 'formError.tooManyRequests'],
  too_many_unfinished_requests: [
    'Too many unfinished requests. Try again later.',
    'formError.tooManyRequests',
  ],
  too_many_waiting_requests: [
    'Too many of your requests wait. Try again in a few seconds.',
    'formError.tooManyRequests',
  ],
  too_many_downloads: ['Too many downloads at the same time. Try again later.', 'formError.tooManyRequests'],
  too_many_waiting_passphrases: [
    'Too many passphrases wait to be checked. Try again later.',
    'formError.tooManyRequests',
  ],
  too_many_wrong_passphrases: [
    'Too many wrong passphrases. Try again later.',
    'formError.tooManyPassphrases',
  ],
  too_many_wrong_passwords: ['Too many wrong passwords. Try again later.', 'formError.tooManyPasswords'],
  too_many_wrong_codes: ['Too many wrong codes. Try again later.', 'formError.tooManyCodes'],
  too_many_wrong_codes_today: [
    'Too many wrong codes for this account today. Use a passkey or a recovery code, or a network from which you have ' +
      'signed in before.',
    'formError.tooManyCodesToday',
  ],
  too_many_email_changes: [
    'Too many attempts to change the email address. Try again later.',
    'formError.tooManyEmailChanges',
  ],
  too_many_provider_sign_ins: [
    'Too many sign-ins at the provider did not work. Try again later.',
    'formError.tooManyRequests',
  ],
  too_many_sign_ups: [
    'Too many accounts are being created from your network. Try again later.',
    'formError.tooManyAccounts',
  ],
  too_many_mails: [
    'Too many mails are being requested from your network. Try again later.',
    'formError.tooManyMails',
  ],

  // the service itself
  passphrases_being_checked: ['Too many passphrases are being checked. Try again.', 'formError.busy'],
  busy: ['The server is busy. Try again in a few seconds.', 'formError.busy'],
  too_busy_for_body: [
    'The service is too busy to read the body. Try again in a few seconds.',
    'formError.busy',
  ],
  unavailable: [
    'The service is unavailable for the moment. Try again in a few seconds.',
    'formError.unavailable',
  ],
  unexpected: ['Something went wrong on our side.', 'formError.unexpected'],

  // what is not a request to this service, or not a whole one
  other_site: ['This form was sent from another site. Nothing was done.', 'formError.otherSite'],
  other_address: [
    ({ url }: { url: string }) =>
      `This form was sent from a page that was opened without encryption. Nothing was done. Open ${url} instead.`,
    'formError.otherAddress',
  ],
  body_too_large: [
    'The body is too large. Files may be larger when sent as multipart.',
    'formError.formTooLarge',
  ],
  too_large_for_database: [
    ({ bytes }: Bytes) =>
      `This is larger than the ${bytes} bytes that the database of this server accepts at once. Send less text, or send it as a file.`,
    'formError.tooLargeForDatabase',
    'form',
  ],
  too_many_fields: ['The form has too many or too large fields.', 'formError.formTooLarge'],
  body_too_slow: ['Sending the body took too long.', 'formError.formTooSlow'],
  body_malformed: ['The body is not well-formed.', 'formError.formUnreadable'],
  body_not_utf8: ['The body is not UTF-8: encode its text as UTF-8.', 'formError.formUnreadable'],
  body_compressed: ['The body must not be compressed.', 'formError.formUnreadable'],
  charset_unsupported: ['The charset must be UTF-8.', 'formError.formUnreadable'],
  content_type_unsupported: [
    ({ types }: { types: readonly string[] }) =>
      `The Content-Type must be ${types.slice(0, -1).join(', ')} or ${types.at(-1)}.`,
    'formError.formUnreadable',
  ],
  push_missing: [
    ({ key }: { key: string }) => `The body must have an object "${key}" with the fields of the push.`,
    'formError.formUnreadable',
  ],
  json_too_deep: [
    ({ count }: Count) => `The JSON must not be nested more than ${count} levels deep.`,
    'formError.formUnreadable',
  ],
  json_name_too_long: [
    ({ bytes }: Bytes) => `A name in the JSON must not have more than ${bytes} bytes.`,
    'formError.formUnreadable',
  ],
  json_names_too_long: [
    ({ bytes }: Bytes) => `The names in the JSON must not have more than ${bytes} bytes in total.`,
    'formError.formUnreadable',
  ],
  json_too_many_values: [
    ({ count }: Count) => `The JSON must not have more than ${count} values.`,
    'formError.formUnreadable',
  ],
  idempotency_key_malformed: [
    'The Idempotency-Key must be 22 to 64 letters, digits, hyphens and underscores in quotes.',
    'formError.formUnreadable',
  ],
  address_malformed: ['The address is not well-formed.', 'formError.badAddress'],
  host_malformed: ['The Host header is not well-formed.', 'formError.badAddress'],
  host_missing: ['There must be one Host header.', 'formError.badAddress'],
} as const satisfies ProblemTexts;

export type CoreTexts = typeof PROBLEM_TEXTS;
