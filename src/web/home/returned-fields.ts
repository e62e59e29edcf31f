import type { PushFields } from '../../pushes/fields/push-fields.js';
import { readNotices } from '../../pushes/push/notice-events.js';
import { MAX_SHOWN_AGAIN } from '../forms/form.js';
import { CHECKBOXES, needsPassphrase } from './home-fields.js';
import type { FieldErrors } from '../views/fields.js';
import type { EnteredFields } from '../views/home.js';
import { Problem } from '../../errors/problem.js';

/** The fields that are shown again as they were typed: never the secret or its passphrase. */
const KEPT = [
  'kind',
  'expire_after_days',
  'expire_after_duration',
  'expire_after_views',
  'custom_views',
  'name',
  'note',
  'notify_emails_to',
  'idempotency_key',
];

/** The fields of the push if the body was parsed into one, otherwise those of the body itself. */
export function fieldsIn(body: unknown): PushFields {
  const whole = (body ?? {}) as PushFields;
  return (whole.push ?? whole) as PushFields;
}

/** Whether any field could be read. If not, a form that is shown again would have other options than the one sent. */
export function isKnown(fields: PushFields): boolean {
  return Object.keys(fields).length > 0;
}

export function typedIn(fields: PushFields): EnteredFields {
  if (!isKnown(fields)) return {};
  const shown = [
    ...KEPT.map((name): [string, unknown] => [name, fields[name]]),
    ...CHECKBOXES.map((name): [string, unknown] => [name, fields[name] || 'off']),
  ].flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[name, value.slice(0, MAX_SHOWN_AGAIN)]] : [],
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
