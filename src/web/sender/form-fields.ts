import { InvalidFields } from '../../platform/http/validation/validation.pipe.js';
import { MAX_TEXT } from '../../shared/payload-errors.js';
import type { PushFields } from '../../pushes/fields/push-fields.js';
import { Problem } from '../../platform/errors/problem.js';
import { CUSTOM } from './form-options.js';
import { readNotices } from '../../pushes/push/notice-events.js';
import type { FieldErrors, FormFields } from '../components/filled-form.js';
import { timeIn } from '../components/fields.js';
import { MAX_SHOWN_AGAIN } from '../forms/form.js';

const TEXTS = ['payload', 'note', 'request'];
/** Code units from which a text is rejected even after its line breaks are converted, so conversion is skipped. */
const TOO_LONG = 2 * MAX_TEXT + 1;

const CHECKBOXES = [
  'deletable_by_viewer',
  'retrieval_step',
  'hides_contents',
  'names_sender',
  'once_per_recipient',
];

/**
 * Turns the fields of the form on the front page, as browsers send them, into those of the API, and rejects a form that
 * lost its passphrase.
 */
export function prepareHomeFields(fields: PushFields): void {
  undoLineBreaks(fields);
  dropUnticked(fields);
  undoUnticked(fields, CHECKBOXES);
  undoCustomChoices(fields);
  fields.opens_at = timeIn(fields, 'opens_at');
  assertPassphraseKept(fields);
}

/** The fields of each option, which count only while its chip is ticked. */
const OPTIONS = {
  passphrase: ['passphrase', 'passphrase_was_set'],
  people: ['recipients', 'once_per_recipient'],
  more: [
    'hides_contents',
    'expire_after_first_view',
    'opens_at_local',
    'allowed_networks',
    'notify_emails_to',
  ],
};

/** Those that only the form of an account has. Another one keeps them hidden, for whoever signs in again. */
const OPTIONS_OF_ACCOUNT = { name: ['name'], more: ['names_sender', 'note'] };

/** What must be filled in if its chip is ticked, because nobody would notice that it is missing. */
const FILLED_IN = { passphrase: 'passphrase', people: 'recipients' };

/** Removes the fields of options that are off, if the form has chips for them: the forms of programs have none. */
function dropUnticked(fields: PushFields): void {
  const { options_of, usually_deletable } = fields;
  if (!options_of) return;
  const isOfAccount = options_of === 'account';
  dropOptionsThatAreOff(fields, OPTIONS, FILLED_IN);
  if (!isOn(fields, 'more')) fields.retrieval_step = 'on';
  if (!isOfAccount) return;
  dropOptionsThatAreOff(fields, OPTIONS_OF_ACCOUNT);
  if (!isOn(fields, 'notices') && fields.notify_on !== undefined) fields.notify_on = [''];
  if (!isOn(fields, 'more')) fields.deletable_by_viewer = usually_deletable === 'on';
}

function isOn(fields: PushFields, option: string): boolean {
  return fields[`with_${option}`] === 'on';
}

/** @throws InvalidFields if an option is on whose field must be filled in, and is empty */
export function dropOptionsThatAreOff(
  fields: PushFields,
  options: Record<string, readonly string[]>,
  filledIn: Record<string, string> = {},
): void {
  for (const [option, names] of Object.entries(options))
    if (!isOn(fields, option)) for (const name of names) Reflect.deleteProperty(fields, name);
  const missing = Object.entries(filledIn).filter(([option, name]) => isOn(fields, option) && !fields[name]);
  const problemOf = (name: string) =>
    name === 'passphrase' && fields.passphrase_was_set ? 'enter_passphrase_again' : 'blank';
  if (missing.length > 0)
    throw new InvalidFields(
      Object.fromEntries(missing.map(([, name]) => [name, new Problem(problemOf(name))])),
    );
}

/** Those of the chips that were ticked, to be shown again. */
const CHIPS = ['with_passphrase', 'with_people', 'with_notices', 'with_name', 'with_more'];

/** Whether an option is on in a form that is shown: as it was sent, otherwise if something in it `isSet`. */
export function isOptionOn(typed: FormFields, option: string, isSet: boolean): boolean {
  return typed.options_of === undefined ? isSet : typed[`with_${option}`] === 'on';
}

/** A box that is not ticked is not sent. */
export function undoUnticked(fields: PushFields, boxes: string[]): void {
  for (const name of boxes) fields[name] ??= false;
}

/** A form that lost its passphrase must not be taken without it. */
export function assertPassphraseKept(fields: PushFields): void {
  if (needsPassphrase(fields) && !fields.passphrase)
    throw new InvalidFields({ passphrase: new Problem('enter_passphrase_again') });
}

/** Whether the page of the link is to name the sender, which the API does not offer: a program sends for others. */
export function isNamed({ names_sender }: PushFields): boolean {
  return names_sender === 'on';
}

/** A form that was rejected comes back without its passphrase, but with this flag. */
function needsPassphrase({ passphrase_was_set: flag, passphrase }: PushFields): boolean {
  return Boolean(flag) || Boolean(passphrase);
}

/** A line feed is sent as CRLF. */
export function undoLineBreaks(fields: PushFields): void {
  for (const name of TEXTS) {
    const text = fields[name];
    if (typeof text === 'string' && text.length < TOO_LONG) fields[name] = text.replace(/\r\n/g, '\n');
  }
}

/**
 * Turns the choices of the form into fields of the API: the number typed in counts only if `custom` is chosen. If that
 * number is missing, the field becomes invalid, so that no default replaces it.
 */
function undoCustomChoices(fields: PushFields): void {
  if (fields.expire_after_views === CUSTOM) fields.expire_after_views = fields.custom_views || CUSTOM;

  const duration = fields.expire_after_duration;
  if (typeof duration !== 'string' || duration === '') return;
  if (duration === CUSTOM) {
    delete fields.expire_after_duration;
    fields.expire_after_days ||= CUSTOM;
  } else {
    delete fields.expire_after_days;
  }
}

/** Texts of the options that are shown again as they were typed. */
export const KEPT_OPTIONS = [
  'expire_after_first_view',
  'opens_at_local',
  'allowed_networks',
  'name',
  'note',
  'notify_emails_to',
  'recipients',
];

/** The fields that are shown again as they were typed: never the secret or its passphrase. */
const KEPT = [
  'kind',
  'expire_after_days',
  'expire_after_duration',
  'expire_after_views',
  'custom_views',
  ...KEPT_OPTIONS,
  'options_of',
  ...CHIPS,
  'idempotency_key',
];

const NUMBERS = [
  'options_of',
  ...CHIPS,
  'expire_after_days',
  'expire_after_views',
  'custom_views',
  'expire_after_first_view',
  'opens_at_local',
];
/** Characters of a number, or of a time to the second, that are shown again: the page has it several times, and none that is accepted has more. */
const MAX_NUMBER = 20;

/** Whether any field could be read. If not, a form that is shown again would have other options than the one sent. */
export function isKnown(fields: PushFields): boolean {
  return Object.keys(fields).length > 0;
}

export function typedIn(fields: PushFields): FormFields {
  if (!isKnown(fields)) return {};
  const shown = [
    ...KEPT.map((name): [string, unknown] => [name, fields[name]]),
    ...CHECKBOXES.map((name): [string, unknown] => [name, fields[name] || 'off']),
  ].flatMap(([name, value]): [string, string][] =>
    typeof value === 'string'
      ? [[name, value.slice(0, NUMBERS.includes(name) ? MAX_NUMBER : MAX_SHOWN_AGAIN)]]
      : [],
  );
  const notices = readNotices(fields.notify_on)?.join(',');
  return {
    ...Object.fromEntries(shown),
    ...(notices !== undefined && { notify_on: notices }),
    ...(needsPassphrase(fields) && { passphrase_was_set: 'on' }),
  };
}

/** The errors, and what a returned form lacks: nobody should send it again without noticing. */
export function withMissing(errors: FieldErrors, fields: PushFields): FieldErrors {
  const again = (isMissing: boolean, name: string, problem: Problem) =>
    isMissing ? { [name]: [...(errors[name] ?? []), problem] } : undefined;
  return {
    ...errors,
    ...again(Boolean(fields.payload), 'payload', new Problem('enter_secret_again')),
    ...again(Boolean(fields.passphrase), 'passphrase', new Problem('enter_passphrase_again')),
    ...again(
      (fields.kind === 'file' || fields.files !== undefined) && !errors.files,
      'files',
      new Problem('choose_files_again'),
    ),
  };
}
