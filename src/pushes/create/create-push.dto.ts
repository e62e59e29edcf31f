import { Allow } from 'class-validator';
import type { PushKind } from '../../shared/push-kind.js';
import { BooleanField, EmptyIsAbsent, IntegerField, TimeField, isAbsent } from '../fields/push-fields.js';
import type { InlineFile } from '../../files/files.service.js';
import type { Upload } from '../../files/upload.js';
import type { ChosenColumns, OwnerText } from '../push/push.entity.js';
import { ownerTexts } from '../push/push.entity.js';
import { readFiles } from './attached-files.js';
import { DURATION_SCALE } from './duration-scale.js';
import type { MailedTo } from '../fields/list-fields.js';
import { readMailedTo, readNetworks, readRecipients } from '../fields/list-fields.js';
import { noticeBits, readNotices } from '../push/notice-events.js';
import { DAY_MS } from '../../platform/settings/units.js';
import { OwnPushDto } from '../push/push.dto.js';

/**
 * A request to create a push, with its field names in the API. The same in every encoding; null counts as absent. The
 * pipe that reads it checks it by the rules of this instance: see PushRules.
 */
export class CreatePushDto {
  @Allow()
  payload?: string | null;

  /** An array in JSON; an `Upload` when they came as parts of a form. */
  @Allow()
  files?: unknown;

  @EmptyIsAbsent()
  @Allow()
  kind?: PushKind | null;

  @IntegerField()
  @Allow()
  expire_after_days?: number | null;

  /** Used when there are no days (docs/api.md, Create). */
  @IntegerField()
  @Allow()
  expire_after_duration?: number | null;

  @IntegerField()
  @Allow()
  expire_after_views?: number | null;

  /** Hours. */
  @IntegerField()
  @Allow()
  expire_after_first_view?: number | null;

  @TimeField()
  @Allow()
  opens_at?: Date | null;

  /** A list, or a text with commas. */
  @Allow()
  allowed_networks?: unknown;

  @BooleanField()
  @Allow()
  deletable_by_viewer?: boolean | null;

  @BooleanField()
  @Allow()
  retrieval_step?: boolean | null;

  @BooleanField()
  @Allow()
  client_encrypted?: boolean | null;

  @Allow()
  passphrase?: string | null;

  @Allow()
  name?: string | null;

  @Allow()
  note?: string | null;

  /** A list, or a text with commas. */
  @Allow()
  recipients?: unknown;

  @BooleanField()
  @Allow()
  once_per_recipient?: boolean | null;

  /** A list, or a text with commas. */
  @Allow()
  notify_emails_to?: unknown;

  @Allow()
  notify_emails_to_locale?: unknown;

  /** A list, or a text with commas. */
  @Allow()
  notify_on?: unknown;
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
  /** Who may open it, normalized; undefined for whoever has its link. */
  recipients?: string[];
  /** Who gets a mail with its link. */
  mailedTo?: MailedTo;
}

/** The kind of a push: the given one, otherwise `file` when it has files. */
export function kindOf({ kind, files }: Pick<CreatePushDto, 'kind' | 'files'>): PushKind {
  return kind ?? (isAbsent(files) ? 'text' : 'file');
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
    allowedNetworks: readNetworks(push.allowed_networks),
    deletableByViewer: push.deletable_by_viewer ?? defaults.deletableByViewer,
    retrievalStep: push.retrieval_step ?? defaults.retrievalStep,
    clientEncrypted: push.client_encrypted ?? false,
    ownerOnly: false,
    namesSender: false,
    recipients: readRecipients(push.recipients),
    oncePerRecipient: push.once_per_recipient ?? false,
    files: push.files ? readFiles(push.files) : undefined,
    notifyOn: noticeBits(readNotices(push.notify_on) ?? []),
    mailedTo: readMailedTo(push),
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
