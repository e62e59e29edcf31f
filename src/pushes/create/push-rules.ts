import { Injectable } from '@nestjs/common';
import { Problem } from '../../platform/errors/problem.js';
import {
  AGE_REQUIREMENT,
  beginsWithAgeHeader,
  beginsWithRecipientStanza,
  RECIPIENT_REQUIREMENT,
} from '../../files/age-header.js';
import { FileRules } from '../../files/file-rules.js';
import type { FieldProblems, Bounds } from '../../platform/http/validation/validation.pipe.js';
import {
  InvalidFields,
  problemsOf,
  isAbsent,
  isWholeNumberWithin,
  textProblem,
  timeProblem,
} from '../../platform/http/validation/validation.pipe.js';
import { MailsService } from '../../platform/mail/mails.service.js';
import { Settings } from '../../platform/settings/settings.js';
import { isBlankList, localeError, mailRefusalOf, NOT_FOR_UNKNOWN_USERS } from '../fields/list-fields.js';
import type { NoticeEvent } from '../push/notice-events.js';
import { noticeEvents } from '../push/notice-events.js';
import { isProof } from '../push/proofs.js';
import { isInvisible } from '../../shared/invisible-text.js';
import type { PushKind } from '../../shared/push-kind.js';
import { encryptedFilesError, filesError } from './attached-files.js';
import type { CreatePushDto, NewPush, PushDefaults } from './create-push.dto.js';
import { arrivedFilesOf, DURATION_SCALE, kindOf, lifetimeOf, newPushFrom } from './create-push.dto.js';
import { payloadError } from '../../shared/payload-errors.js';
import { canBeMailed } from '../../auth/entities/emails.js';
import type { User } from '../../auth/entities/user.entity.js';
import type { PushFields } from '../fields/push-fields.js';

const MAX_PASSPHRASE = 255;

export type Limits = Pick<
  CreatePushDto,
  'expire_after_days' | 'expire_after_duration' | 'expire_after_views'
>;

/** What the rules of a push depend on. */
export interface PushCheck {
  rules: PushRules;
  /** Whom a client encrypts: whoever has the key in a link, or an age recipient. */
  encryptedFor: 'link' | 'recipient';
  now: Date;
}

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

  /** What is wrong with a push that is requested, by the names of its fields; empty when it is valid. */
  problemsOf(
    push: CreatePushDto,
    encryptedFor: PushCheck['encryptedFor'] = 'link',
    now = new Date(),
  ): Record<string, Problem[]> {
    return problemsOf(push, { rules: this, encryptedFor, now } satisfies PushCheck);
  }

  payloadProblem(push: CreatePushDto, { encryptedFor }: PushCheck): FieldProblems {
    const payload = push.payload ?? undefined;
    return (
      payloadError(kindOf(push), payload) ??
      (isEncrypted(push) && encryptedPayloadError(payload, encryptedFor))
    );
  }

  filesProblem(push: CreatePushDto): FieldProblems {
    const kind = kindOf(push);
    const files = push.files ?? undefined;
    const arrived = arrivedFilesOf(push)?.files ?? [];
    if (files === undefined && arrived.length === 0 && kind !== 'file') return undefined;
    return (
      filesError(kind, files, arrived, this.files, isEncrypted(push)) ??
      (isEncrypted(push) && encryptedFilesError(files, arrived))
    );
  }

  /** Names for which no files were looked for, because nothing here receives files before their push, or none may be attached. */
  uploadsProblem(push: CreatePushDto): FieldProblems {
    if (isAbsent(push.uploads) || arrivedFilesOf(push)) return undefined;
    return this.files.isEnabled ? new Problem('uploads_malformed') : new Problem('files_disabled');
  }

  kindProblem(push: CreatePushDto): FieldProblems {
    const kind = kindOf(push);
    if (!this.enabledKinds.includes(kind)) return new Problem('kind_disabled', { kinds: this.enabledKinds });
    return isEncrypted(push) && encryptedKindError(kind);
  }

  /** A step of the duration scale; ignored, and not checked, when days are given. */
  durationProblem({ expire_after_days: days, expire_after_duration: step }: Limits): FieldProblems {
    if (isAbsent(step) || !isAbsent(days)) return undefined;
    const last = DURATION_SCALE.length - 1;
    const duration = isWholeNumberWithin(step, { min: 0, max: last }) ? DURATION_SCALE[step] : undefined;
    if (!duration) return new Problem('out_of_range', { min: 0, max: last });
    return !isWholeNumberWithin(duration.days, this.days) && new Problem('duration_out_of_range', this.days);
  }

  /** It must open before its end, and not in the past: whoever gives such a time has another one in mind. */
  openingProblem(push: CreatePushDto, { now }: PushCheck): FieldProblems {
    const { opens_at: opening } = push;
    const problem = timeProblem(opening);
    if (problem || !opening) return problem;
    if (opening <= now) return new Problem('not_in_future');
    const { lifetime } = lifetimeOf(push, this.defaults);
    return opening.getTime() >= now.getTime() + lifetime && new Problem('opens_after_end');
  }

  passphraseProblem(push: CreatePushDto, { encryptedFor }: PushCheck): FieldProblems {
    const passphrase = push.passphrase ?? undefined;
    const isProof = isEncrypted(push) && encryptedFor === 'link';
    return passphraseProblem(passphrase) ?? (isProof && proofError(passphrase));
  }

  /** What is wrong with a field that asks for mails, which are not available when this instance sends none. */
  mailProblem(value: unknown, problem: (value: unknown) => FieldProblems): FieldProblems {
    return !isBlankList(value) && (this.mails.isEnabled ? problem(value) : new Problem('mails_unavailable'));
  }

  mailLocaleProblem({
    notify_emails_to: emails,
    notify_emails_to_locale: locale,
  }: CreatePushDto): FieldProblems {
    if (isBlankList(emails) || isBlankList(locale)) return undefined;
    return this.mails.isEnabled ? localeError(locale) : new Problem('mail_locale_unavailable');
  }

  /** The names of the fields that ask for mails, where they are sent. */
  mailFieldsOf({ notify_emails_to, notify_on }: PushFields): string[] {
    if (!this.mails.isEnabled) return [];
    const asking = Object.entries({ notify_emails_to, notify_on }).filter(([, value]) => !isBlankList(value));
    return asking.map(([name]) => name);
  }

  /**
   * Checks whether this account may have mails sent, if the fields of a push ask for any.
   * @throws InvalidFields without an account, or if it has no verified email address
   */
  assertMayHaveMails(fields: PushFields, user: User | undefined): void {
    const named = this.mailFieldsOf(fields);
    if (named.length === 0) return;
    const errors = (problem: Problem) => Object.fromEntries(named.map((field) => [field, problem]));
    if (!user) {
      const isMailed = named.includes('notify_emails_to');
      const ofRecipients = isMailed ? mailRefusalOf(fields, NOT_FOR_UNKNOWN_USERS) : {};
      throw new InvalidFields({ ...errors(NOT_FOR_UNKNOWN_USERS.emails), ...ofRecipients });
    }
    if (!canBeMailed(user)) throw new InvalidFields(errors(new Problem('mails_need_verified_email')));
  }

  /** The events about which an account gets mails when a push does not say; undefined when it gets none at all. */
  defaultNotices(user: User | undefined): NoticeEvent[] | undefined {
    return this.mails.isEnabled && user && canBeMailed(user) ? noticeEvents(user.notifyOn) : undefined;
  }
}

/** Nobody can pass on, or type, a passphrase that shows nothing; an empty one is none. */
export function passphraseProblem(value: unknown): Problem | undefined {
  const problem = textProblem(value, MAX_PASSPHRASE);
  if (problem || typeof value !== 'string' || value === '') return problem;
  return isInvisible(value) ? new Problem('passphrase_invisible') : undefined;
}

function isEncrypted({ client_encrypted }: CreatePushDto): boolean {
  return client_encrypted === true;
}

/**
 * The first line and enough of the following lines for the header: the encoding is strict (RFC 7468, 3), so a line that
 * is not the last has 64 characters. The shortest age file has 50 in its fourth.
 */
const ARMOUR = /^-----BEGIN AGE ENCRYPTED FILE-----\r?\n((?:[A-Za-z0-9+/]{64}\r?\n){3}[A-Za-z0-9+/]{50})/;
const ARMOUR_LENGTH = 300;

/**
 * What is wrong with the payload of a push that its client has encrypted. The work does not depend on its length.
 * @param encryptedFor whom its client encrypts: whoever has the key in its link, or an age recipient
 */
export function encryptedPayloadError(
  payload = '',
  encryptedFor: 'link' | 'recipient' = 'link',
): Problem | undefined {
  const [, encoded = ''] = ARMOUR.exec(payload.slice(0, ARMOUR_LENGTH)) ?? [];
  const start = Buffer.from(encoded, 'base64');
  const [isEncrypted, requirement] =
    encryptedFor === 'link'
      ? [beginsWithAgeHeader(start), AGE_REQUIREMENT]
      : [beginsWithRecipientStanza(start), RECIPIENT_REQUIREMENT];
  return isEncrypted ? undefined : new Problem('payload_not_encrypted', { requirement });
}

/**
 * What is wrong with the kind of a push that its client has encrypted: only the client knows the kind of the secret.
 */
export function encryptedKindError(kind: PushKind): Problem | undefined {
  return kind === 'text' || kind === 'file' ? undefined : new Problem('kind_not_encrypted');
}

/** What is wrong with its passphrase, which is derived from the key in its link. */
export function proofError(passphrase = ''): Problem | undefined {
  return isProof(passphrase) ? undefined : new Problem('passphrase_not_a_proof');
}
