import { Injectable } from '@nestjs/common';
import type { ValidationArguments, ValidatorConstraintInterface } from 'class-validator';
import { Validate, ValidatorConstraint } from 'class-validator';
import { textError } from '../../http/validation/text-error.js';
import { PushRules } from './push-rules.js';
import { encryptedFilesError, filesError } from './attached-files.js';
import { encryptedKindError, encryptedPayloadError, proofError } from './client-encryption-errors.js';
import type { CreatePushDto } from './create-push.dto.js';
import { DURATION_SCALE } from './duration-scale.js';
import { emailsError, isBlankList, localeError, NOT_WHEN_ENCRYPTED } from '../link-mails/recipients.js';
import { noticesError } from '../push/notice-events.js';
import { NOT_AVAILABLE } from './mail-rules.js';
import { payloadError } from './payload-errors.js';
import { kindOf } from './new-push.js';

/** Returns what is wrong with a value, or undefined. Null and undefined count as absent. */
type Validator = (value: unknown, push: CreatePushDto, rules: PushRules) => string | undefined;

/** Checks a property by a validator, which may use the limits of this instance. */
@ValidatorConstraint({ name: 'pushRules' })
@Injectable()
export class PushRulesConstraint implements ValidatorConstraintInterface {
  constructor(private readonly rules: PushRules) {}

  validate(_value: unknown, args: ValidationArguments): boolean {
    return this.errorOf(args) === undefined;
  }

  defaultMessage(args: ValidationArguments): string {
    return this.errorOf(args) ?? '';
  }

  private errorOf({ value, object, constraints }: ValidationArguments): string | undefined {
    const [validator] = constraints as [Validator];
    return validator(value ?? undefined, object, this.rules);
  }
}

const ByPushRules = (validator: Validator) => Validate(PushRulesConstraint, [validator]);

/** A whole number within the limits of the instance. */
export const WithinLimits = (limits: 'days' | 'views') =>
  ByPushRules((value, _push, rules) => {
    const { min, max } = rules[limits];
    return isWholeNumberWithin(value, min, max) ? undefined : `must be a whole number from ${min} to ${max}`;
  });

/** A step of the duration scale within the instance's limits. Ignored, and not checked, when days are given. */
export const OnDurationScale = () =>
  ByPushRules((value, push, { days: { min, max } }) => {
    if (value === undefined || (push.expire_after_days ?? undefined) !== undefined) return undefined;

    const last = DURATION_SCALE.length - 1;
    const duration = isWholeNumberWithin(value, 0, last) ? DURATION_SCALE[value] : undefined;
    if (!duration) return `must be a whole number from 0 to ${last}`;
    return isWholeNumberWithin(duration.days, min, max) ? undefined : `must stand for ${min} to ${max} days`;
  });

/** A kind that is enabled on this instance. */
export const EnabledKind = () =>
  ByPushRules((_value, push, { enabledKinds }) =>
    (enabledKinds as readonly unknown[]).includes(kindOf(push))
      ? ifClientEncrypted(push, () => encryptedKindError(kindOf(push)))
      : `must be one of those enabled here: ${enabledKinds.join(', ')}`,
  );

/** A payload that is valid for the kind of the push, and encrypted when it has to be. */
export const FitsKind = () =>
  ByPushRules(
    (value, push) =>
      payloadError(kindOf(push), value) ??
      ifClientEncrypted(push, () => encryptedPayloadError(value as string | undefined)),
  );

/** Files within the instance's limits, and encrypted when they have to be; a push of kind file has at least one. */
export const AcceptableFiles = () =>
  ByPushRules((value, push, { files }) => {
    const kind = kindOf(push);
    if (value === undefined && kind !== 'file') return undefined;
    return filesError(kind, value, files) ?? ifClientEncrypted(push, () => encryptedFilesError(value));
  });

/** A passphrase, or none; a push that its client has encrypted has one of a fixed form. */
export const AcceptablePassphrase = () =>
  ByPushRules(
    (value, push) =>
      (value === undefined ? undefined : textError(value, 255)) ??
      ifClientEncrypted(push, () => proofError(value as string | undefined)),
  );

/** Addresses for the link of a push; none when this instance sends no mails, or only the client has the whole link. */
export const AcceptableRecipients = () =>
  ByPushRules((value, push, { mails }) => {
    if (isBlankList(value)) return undefined;
    if (!mails.isEnabled) return NOT_AVAILABLE;
    return emailsError(value) ?? ifClientEncrypted(push, () => NOT_WHEN_ENCRYPTED);
  });

/** The locale of the mails to the recipients; not checked without any. */
export const LocaleOfRecipients = () =>
  ByPushRules((value, push, { mails }) => {
    if (isBlankList(value) || isBlankList(push.notify_emails_to)) return undefined;
    return mails.isEnabled ? localeError(value) : 'is not available';
  });

/** Events that the owner gets mails about; none when this instance sends no mails. */
export const AcceptableNotices = () =>
  ByPushRules((value, _push, { mails }) => {
    if (isBlankList(value)) return undefined;
    return mails.isEnabled ? noticesError(value) : NOT_AVAILABLE;
  });

function ifClientEncrypted(push: CreatePushDto, error: () => string | undefined): string | undefined {
  return push.client_encrypted === true ? error() : undefined;
}

function isWholeNumberWithin(value: unknown, min: number, max: number): value is number {
  return Number.isInteger(value) && (value as number) >= min && (value as number) <= max;
}
