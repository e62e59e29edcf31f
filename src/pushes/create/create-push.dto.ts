import type { PushKind } from '../../shared/push-kind.js';
import {
  CheckedBy,
  BooleanField,
  booleanProblem,
  ConvertedBy,
  IntegerField,
  isAbsent,
  TextField,
  toBoolean,
  toInteger,
  toTime,
} from '../../platform/http/validation/validation.pipe.js';
import type { ArrivedFiles } from '../../files/arrived-files.js';
import type { InlineFile } from '../../files/files.service.js';
import type { Upload } from '../../files/upload.js';
import type { ChosenColumns, OwnerText } from '../push/push.entity.js';
import { ownerTexts } from '../push/push.entity.js';
import { readFiles } from './attached-files.js';
import type { MailedTo } from '../fields/list-fields.js';
import {
  isBlankList,
  mailedToError,
  networksError,
  readMailedTo,
  readNetworks,
  readRecipients,
  recipientsError,
} from '../fields/list-fields.js';
import { noticeBits, noticesError, readNotices } from '../push/notice-events.js';
import type { FieldProblems } from '../../platform/http/validation/validation.pipe.js';
import { Problem } from '../../platform/errors/problem.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/settings/units.js';
import { OwnPushDto } from '../push/push.dto.js';
import type { PushCheck } from './push-rules.js';

export const MAX_NAME = 255;
export const MAX_NOTE = 2000;

/** Checks a property that most pushes do not have, where it is sent. */
const CheckedIfSent = (problem: (value: unknown, push: CreatePushDto, check: PushCheck) => FieldProblems) =>
  CheckedBy(
    (value, push: CreatePushDto, check: PushCheck) => !isAbsent(value) && problem(value, push, check),
  );

/**
 * A request to create a push, with its field names in the API, and their rules. The same in every encoding; null counts
 * as absent.
 */
export class CreatePushDto {
  @CheckedBy((_, push: CreatePushDto, check: PushCheck) => check.rules.payloadProblem(push, check))
  payload?: string | null;

  /** An array in JSON; an `Upload` when they came as parts of a form. */
  @CheckedBy((_, push: CreatePushDto, { rules }: PushCheck) => rules.filesProblem(push))
  files?: unknown;

  /** What names files that arrived before, in requests; those files once they are found. See `ArrivedFilesFinder`. */
  @CheckedBy((_, push: CreatePushDto, { rules }: PushCheck) => rules.uploadsProblem(push))
  uploads?: unknown;

  @ConvertedBy((kind) => (kind === '' ? undefined : kind))
  @CheckedBy((_, push: CreatePushDto, { rules }: PushCheck) => rules.kindProblem(push))
  kind?: PushKind | null;

  @IntegerField(({ rules }: PushCheck) => rules.days)
  expire_after_days?: number | null;

  /** Used when there are no days (docs/api.md, Create). */
  @ConvertedBy(toInteger)
  @CheckedBy((_, push: CreatePushDto, { rules }: PushCheck) => rules.durationProblem(push))
  expire_after_duration?: number | null;

  @IntegerField(({ rules }: PushCheck) => rules.views)
  expire_after_views?: number | null;

  /** Hours. */
  @IntegerField(({ rules }: PushCheck) => rules.hours)
  expire_after_first_view?: number | null;

  @ConvertedBy(toTime)
  @CheckedBy((_, push: CreatePushDto, check: PushCheck) => check.rules.openingProblem(push, check))
  opens_at?: Date | null;

  /** A list, or a text with commas. */
  @CheckedIfSent(networksError)
  allowed_networks?: unknown;

  @BooleanField()
  deletable_by_viewer?: boolean | null;

  @BooleanField()
  retrieval_step?: boolean | null;

  @BooleanField()
  hides_contents?: boolean | null;

  @BooleanField()
  client_encrypted?: boolean | null;

  @CheckedBy((_, push: CreatePushDto, check: PushCheck) => check.rules.passphraseProblem(push, check))
  passphrase?: string | null;

  @TextField(MAX_NAME)
  name?: string | null;

  @TextField(MAX_NOTE)
  note?: string | null;

  /** A list, or a text with commas; not for a push of which only its client has the link. */
  @CheckedIfSent((emails, { client_encrypted }, { rules }) =>
    rules.mailProblem(
      emails,
      (value) =>
        mailedToError(value) ?? (client_encrypted === true && new Problem('recipients_when_encrypted')),
    ),
  )
  notify_emails_to?: unknown;

  @CheckedIfSent((_, push, { rules }) => rules.mailLocaleProblem(push))
  notify_emails_to_locale?: unknown;

  /** A list, or a text with commas. */
  @CheckedIfSent((events, _, { rules }) => rules.mailProblem(events, noticesError))
  notify_on?: unknown;

  /** A list, or a text with commas. */
  @CheckedIfSent((recipients, _, { rules }) => rules.mailProblem(recipients, recipientsError))
  recipients?: unknown;

  @ConvertedBy(toBoolean)
  @CheckedBy(
    (once, { recipients }: CreatePushDto) =>
      booleanProblem(once) ||
      (once === true && isBlankList(recipients) && new Problem('once_needs_recipients')),
  )
  once_per_recipient?: boolean | null;
}

/** Values for what a request to create a push does not specify. */
export interface PushDefaults {
  days: number;
  views: number;
  deletableByViewer: boolean;
  retrievalStep: boolean;
}

/** What a push is created from, after validation and with the instance's defaults filled in. */
export interface NewPush extends ChosenColumns, Partial<Record<OwnerText, string>> {
  payload: string;
  passphrase?: string;
  /** Its lifetime in milliseconds; shorter than its days only when the caller asked for hours or minutes. */
  lifetime: number;
  /** Already stored, or still in memory. */
  files?: Upload | InlineFile[];
  /** Files that arrived before, which come after those. */
  arrived?: ArrivedFiles;
  /** Who may open it, normalized; undefined for whoever has its link. */
  recipients?: string[];
  /** Who gets a mail with its link. */
  mailedTo?: MailedTo;
}

/** A lifetime in milliseconds, and the days that are reported for it. */
interface Duration {
  lifetime: number;
  days: number;
}

const UNDER_A_DAY = [15 * MINUTE_MS, 30 * MINUTE_MS, 45 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, 12 * HOUR_MS].map(
  (lifetime) => ({ lifetime, days: 1 }),
);

/** The scale of `expire_after_duration`, which some clients send instead of days: 0 is 15 minutes, 17 is 90 days. */
export const DURATION_SCALE: readonly Duration[] = [
  ...UNDER_A_DAY,
  ...[1, 2, 3, 4, 5, 6, 7, 14, 21, 30, 60, 90].map(ofDays),
];

function ofDays(days: number): Duration {
  return { lifetime: days * DAY_MS, days };
}

/** The kind of a push: the given one, otherwise `file` when it has files. */
export function kindOf({
  kind,
  files,
  uploads,
}: Pick<CreatePushDto, 'kind' | 'files' | 'uploads'>): PushKind {
  return kind ?? (isAbsent(files) && isAbsent(uploads) ? 'text' : 'file');
}

/** Whether a list is absent, or empty, as one is that a form was sent without. */
export function isNoList(value: unknown): boolean {
  return isAbsent(value) || value === '' || (Array.isArray(value) && value.every((item) => item === ''));
}

/** Those that were found for it. */
export function arrivedFilesOf({ uploads }: Pick<CreatePushDto, 'uploads'>): ArrivedFiles | undefined {
  return isArrivedFiles(uploads) ? uploads : undefined;
}

function isArrivedFiles(value: unknown): value is ArrivedFiles {
  return typeof (value as Partial<ArrivedFiles> | null | undefined)?.takeWithin === 'function';
}

/** A validated push, with the defaults for what the caller did not specify. */
export function newPushFrom(push: CreatePushDto, defaults: PushDefaults): NewPush {
  const { days, lifetime } = lifetimeOf(push, defaults);
  return {
    kind: kindOf(push),
    payload: push.payload ?? '',
    passphrase: push.passphrase || undefined,
    ...ownerTexts((name) => push[name] || undefined),
    expireAfterDays: days,
    lifetime,
    expireAfterViews: push.expire_after_views ?? defaults.views,
    expireAfterFirstView: push.expire_after_first_view ?? null,
    opensAt: push.opens_at ?? null,
    allowedNetworks: push.allowed_networks ? readNetworks(push.allowed_networks) : null,
    deletableByViewer: push.deletable_by_viewer ?? defaults.deletableByViewer,
    retrievalStep: push.retrieval_step ?? defaults.retrievalStep,
    hidesContents: push.hides_contents ?? false,
    clientEncrypted: push.client_encrypted ?? false,
    ownerOnly: false,
    namesSender: false,
    recipients: push.recipients ? readRecipients(push.recipients) : undefined,
    oncePerRecipient: push.once_per_recipient ?? false,
    files: push.files ? readFiles(push.files) : undefined,
    arrived: arrivedFilesOf(push),
    notifyOn: push.notify_on ? noticeBits(readNotices(push.notify_on) ?? []) : 0,
    mailedTo: push.notify_emails_to ? readMailedTo(push) : undefined,
  };
}

/** The lifetime by days, otherwise by a step of the duration scale. */
export function lifetimeOf(
  { expire_after_days, expire_after_duration }: CreatePushDto,
  defaults: PushDefaults,
) {
  const days = expire_after_days ?? defaults.days;
  const step = expire_after_days ? undefined : DURATION_SCALE[expire_after_duration ?? -1];
  return step ?? { days, lifetime: days * DAY_MS };
}

/** A push as the response to its creation has it. */
export class CreatedPushDto extends OwnPushDto {
  /** As it was sent; absent, like the next one, when nobody was named. */
  notify_emails_to?: string | string[];
  notify_emails_to_locale?: string | null;

  static ofCreated(push: OwnPushDto, { mailedTo }: NewPush): CreatedPushDto {
    if (!mailedTo) return push;
    return { ...push, notify_emails_to: mailedTo.given, notify_emails_to_locale: mailedTo.locale };
  }
}
