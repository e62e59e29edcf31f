import type { InlineFile } from '../../files/files.service.js';
import type { Upload } from '../../files/upload.js';
import type { ChosenColumns, OwnerText } from '../push/push.entity.js';
import { ownerTexts } from '../push/push.entity.js';
import type { PushKind } from '../../shared/push-kind.js';
import { readFiles } from './attached-files.js';
import type { CreatePushDto } from './create-push.dto.js';
import { readNetworks } from './allowed-networks.js';
import { DURATION_SCALE } from './duration-scale.js';
import type { Recipients } from '../link-mails/recipients.js';
import { readRecipients } from '../link-mails/recipients.js';
import { readRecipientList } from '../recipients/recipient-list.js';
import { noticeBits, readNotices } from '../push/notice-events.js';
import { DAY_MS } from '../../platform/settings/units.js';

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
  mailedTo?: Recipients;
}

/** The kind of a push: the given one, otherwise `file` when it has files. */
export function kindOf({ kind, files }: Pick<CreatePushDto, 'kind' | 'files'>): PushKind {
  return kind ?? ((files ?? undefined) === undefined ? 'text' : 'file');
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
    recipients: readRecipientList(push.recipients),
    oncePerRecipient: push.once_per_recipient ?? false,
    files: push.files ? readFiles(push.files) : undefined,
    notifyOn: noticeBits(readNotices(push.notify_on) ?? []),
    mailedTo: readRecipients(push),
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
