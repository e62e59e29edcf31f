import { Injectable, UnprocessableEntityException } from '@nestjs/common';
import { Problem } from '../../platform/errors/problem.js';
import { FileRules } from '../../files/file-rules.js';
import { textError } from '../../platform/http/validation/text-error.js';
import { MailsService } from '../../platform/mail/mails.service.js';
import { Settings } from '../../platform/settings/settings.js';
import {
  mailedToError,
  isBlankList,
  localeError,
  NOT_FOR_UNKNOWN_USERS,
  mailRefusalOf,
  recipientsError,
  networksError,
} from '../fields/list-fields.js';
import type { NoticeEvent } from '../push/notice-events.js';
import { noticesError, noticeEvents } from '../push/notice-events.js';
import { isInvisible } from '../../shared/invisible-text.js';
import type { PushKind } from '../../shared/push-kind.js';
import { encryptedFilesError, filesError } from './attached-files.js';
import { encryptedKindError, encryptedPayloadError, proofError } from './client-encryption-errors.js';
import type { CreatePushDto, NewPush, PushDefaults } from './create-push.dto.js';
import { kindOf, lifetimeOf, newPushFrom } from './create-push.dto.js';
import { DURATION_SCALE } from './duration-scale.js';
import { payloadError } from '../../shared/payload-errors.js';
import { canBeMailed } from '../../auth/entities/emails.js';
import type { User } from '../../auth/entities/user.entity.js';
import type { PushFields } from '../fields/push-fields.js';
import { isAbsent } from '../fields/push-fields.js';

export const MAX_PASSPHRASE = 255;
export const MAX_NAME = 255;
export const MAX_NOTE = 2000;

export interface Bounds {
  min: number;
  max: number;
}

export type Limits = Pick<
  CreatePushDto,
  'expire_after_days' | 'expire_after_duration' | 'expire_after_views'
>;

/** What a rule finds wrong with a field. */
export type FieldProblems = Problem | Problem[] | false | undefined;

/** A push without an account asks for mails. */
export class MailsNeedAccount extends UnprocessableEntityException {}

/** What pushes may be on this instance: its limits and defaults, and who may have mails about them. */
@Injectable()
export class PushRules {
  readonly days: Bounds;
  readonly views: Bounds;
  /** Hours after the first view. */
  readonly hours: Bounds;
  readonly enabledKinds: readonly PushKind[];
  readonly defaults: PushDefaults;

  constructor(
    settings: Settings,
    readonly files: FileRules,
    readonly mails: MailsService,
  ) {
    this.days = { min: settings.EXPIRE_AFTER_DAYS_MIN, max: settings.EXPIRE_AFTER_DAYS_MAX };
    this.views = { min: settings.EXPIRE_AFTER_VIEWS_MIN, max: settings.EXPIRE_AFTER_VIEWS_MAX };
    this.hours = { min: 1, max: 24 * settings.EXPIRE_AFTER_DAYS_MAX };
    this.enabledKinds = [
      'text',
      ...(settings.ENABLE_FILE_PUSHES ? (['file'] as const) : []),
      ...(settings.ENABLE_URL_PUSHES ? (['url'] as const) : []),
      ...(settings.ENABLE_QR_PUSHES ? (['qr'] as const) : []),
    ];
    this.defaults = {
      days: settings.EXPIRE_AFTER_DAYS_DEFAULT,
      views: settings.EXPIRE_AFTER_VIEWS_DEFAULT,
      deletableByViewer: settings.DELETABLE_BY_VIEWER_DEFAULT,
      retrievalStep: settings.RETRIEVAL_STEP_DEFAULT,
    };
  }

  /** A valid push, with this instance's defaults. */
  newPushFrom(push: CreatePushDto): NewPush {
    return newPushFrom(push, this.defaults);
  }

  /**
   * What is wrong with a push that is requested, by the names of its fields; empty when it is valid.
   * @param encryptedFor whom a client encrypts: whoever has the key in a link, or an age recipient
   */
  problemsOf(
    push: CreatePushDto,
    encryptedFor: 'link' | 'recipient' = 'link',
    now = new Date(),
  ): Record<string, Problem[]> {
    const kind = kindOf(push);
    const isEncrypted = push.client_encrypted === true;
    const payload = push.payload ?? undefined;
    const passphrase = push.passphrase ?? undefined;
    const files = push.files ?? undefined;
    const found: Record<keyof CreatePushDto, FieldProblems> = {
      payload: payloadError(kind, payload) ?? (isEncrypted && encryptedPayloadError(payload, encryptedFor)),
      files:
        files !== undefined || kind === 'file'
          ? (filesError(kind, files, this.files, isEncrypted) ?? (isEncrypted && encryptedFilesError(files)))
          : undefined,
      kind: this.enabledKinds.includes(kind)
        ? isEncrypted && encryptedKindError(kind)
        : new Problem('kind_disabled', { kinds: this.enabledKinds }),
      ...this.limitProblems(push),
      expire_after_first_view: rangeProblem(push.expire_after_first_view, this.hours),
      opens_at: this.openingProblem(push, now),
      allowed_networks: networksError(push.allowed_networks),
      deletable_by_viewer: booleanProblem(push.deletable_by_viewer),
      retrieval_step: booleanProblem(push.retrieval_step),
      client_encrypted: booleanProblem(push.client_encrypted),
      passphrase:
        passphraseProblem(passphrase) ?? (isEncrypted && encryptedFor === 'link' && proofError(passphrase)),
      name: textProblem(push.name, MAX_NAME),
      note: textProblem(push.note, MAX_NOTE),
      ...this.mailProblems(push),
    };
    return problemsIn(found);
  }

  /** What is wrong with the limits of a push, by the names of their fields. */
  limitProblems(limits: Limits): Record<keyof Limits, FieldProblems> {
    return {
      expire_after_days: rangeProblem(limits.expire_after_days, this.days),
      expire_after_duration: this.durationProblem(limits),
      expire_after_views: rangeProblem(limits.expire_after_views, this.views),
    };
  }

  /** A step of the duration scale; ignored, and not checked, when days are given. */
  private durationProblem({ expire_after_days: days, expire_after_duration: step }: Limits): FieldProblems {
    if (isAbsent(step) || !isAbsent(days)) return undefined;
    const last = DURATION_SCALE.length - 1;
    const duration = isWholeNumberWithin(step, { min: 0, max: last }) ? DURATION_SCALE[step] : undefined;
    if (!duration) return new Problem('out_of_range', { min: 0, max: last });
    return !isWholeNumberWithin(duration.days, this.days) && new Problem('duration_out_of_range', this.days);
  }

  /** It must open before its end, and not in the past: whoever gives such a time has another one in mind. */
  private openingProblem(push: CreatePushDto, now: Date): FieldProblems {
    const { opens_at: opening } = push;
    const problem = timeProblem(opening);
    if (problem || !opening) return problem;
    if (opening <= now) return new Problem('not_in_future');
    const { lifetime } = lifetimeOf(push, this.defaults);
    return opening.getTime() >= now.getTime() + lifetime && new Problem('opens_after_end');
  }

  /** None are available when this instance sends no mails, nor mails with the link when only the client has all of it. */
  private mailProblems(push: CreatePushDto) {
    const { notify_emails_to: emails, notify_emails_to_locale: locale, notify_on: events, recipients } = push;
    const once = push.once_per_recipient;
    const unlessAvailable = (value: unknown, problem: () => FieldProblems): FieldProblems =>
      !isBlankList(value) && (this.mails.isEnabled ? problem() : new Problem('mails_unavailable'));
    return {
      notify_emails_to: unlessAvailable(
        emails,
        () =>
          mailedToError(emails) ??
          (push.client_encrypted === true && new Problem('recipients_when_encrypted')),
      ),
      notify_emails_to_locale:
        !isBlankList(emails) &&
        !isBlankList(locale) &&
        (this.mails.isEnabled ? localeError(locale) : new Problem('mail_locale_unavailable')),
      notify_on: unlessAvailable(events, () => noticesError(events)),
      recipients: unlessAvailable(recipients, () => recipientsError(recipients)),
      once_per_recipient:
        booleanProblem(once) ||
        (once === true && isBlankList(recipients) && new Problem('once_needs_recipients')),
    };
  }

  /**
   * Checks whether this account may have mails sent, if the fields of a push ask for any.
   * @throws MailsNeedAccount without an account
   * @throws UnprocessableEntityException if the account has no verified email address
   */
  assertMayHaveMails(fields: PushFields, user: User | undefined): void {
    const { notify_emails_to, notify_on } = fields;
    const named = Object.entries({ notify_emails_to, notify_on }).filter(([, value]) => !isBlankList(value));
    if (!this.mails.isEnabled || named.length === 0) return;
    const errors = (problem: Problem) => Object.fromEntries(named.map(([field]) => [field, [problem]]));
    if (!user) {
      const ofRecipients = isBlankList(notify_emails_to) ? {} : mailRefusalOf(fields, NOT_FOR_UNKNOWN_USERS);
      throw new MailsNeedAccount({ ...errors(NOT_FOR_UNKNOWN_USERS.emails), ...ofRecipients });
    }
    if (!canBeMailed(user))
      throw new UnprocessableEntityException(errors(new Problem('mails_need_verified_email')));
  }

  /** The events about which an account gets mails when a push does not say; undefined when it gets none at all. */
  defaultNotices(user: User | undefined): NoticeEvent[] | undefined {
    return this.mails.isEnabled && user && canBeMailed(user) ? noticeEvents(user.notifyOn) : undefined;
  }
}

/** The fields with problems, and their problems. */
export function problemsIn(found: Record<string, FieldProblems>): Record<string, Problem[]> {
  const names = Object.keys(found).filter((name) => found[name]);
  return Object.fromEntries(names.map((name) => [name, [found[name] as Problem | Problem[]].flat()]));
}

export function rangeProblem(value: unknown, range: Bounds): FieldProblems {
  return !isAbsent(value) && !isWholeNumberWithin(value, range) && new Problem('out_of_range', range);
}

export function timeProblem(value: unknown): FieldProblems {
  return !isAbsent(value) && !(value instanceof Date) && new Problem('not_a_time');
}

export function booleanProblem(value: unknown): FieldProblems {
  return !isAbsent(value) && typeof value !== 'boolean' && new Problem('not_a_boolean');
}

/** Nobody can pass on, or type, a passphrase that shows nothing; an empty one is none. */
export function passphraseProblem(value: unknown): Problem | undefined {
  const problem = textProblem(value, MAX_PASSPHRASE);
  if (problem || typeof value !== 'string' || value === '') return problem;
  return isInvisible(value) ? new Problem('passphrase_invisible') : undefined;
}

export function textProblem(value: unknown, max: number): Problem | undefined {
  return isAbsent(value) ? undefined : textError(value, max);
}

function isWholeNumberWithin(value: unknown, { min, max }: Bounds): value is number {
  return Number.isInteger(value) && (value as number) >= min && (value as number) <= max;
}
