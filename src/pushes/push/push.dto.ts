import type { Visitor } from '../../platform/http/visitor.js';
import type { FileLinkDto } from '../../files/file-link.dto.js';
import type { ChosenColumns, OwnerText, Push } from './push.entity.js';
import type { PushKind } from '../../shared/push-kind.js';
import type { OwnerFields } from './push-seal.js';

type SnakeCase<Text extends string> = Text extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Text;

/** What whoever created a push has chosen, by its name in the API. What is not in every response is listed here. */
type Chosen = {
  [
    Name in Exclude<
      keyof ChosenColumns,
      | 'clientEncrypted'
      | 'ownerOnly'
      | 'namesSender'
      | 'hidesContents'
      | 'notifyOn'
      | 'expireAfterFirstView'
      | 'opensAt'
      | 'allowedNetworks'
      | 'oncePerRecipient'
    > as SnakeCase<Name>
  ]: unknown;
};

/** A push as it is in every response. */
export class PushDto implements Chosen {
  expire_after_views: number;
  expired: boolean;
  url_token: string;
  deletable_by_viewer: boolean;
  retrieval_step: boolean;
  expired_on: string | null;
  /** Always null: a passphrase is never returned. */
  passphrase: null;
  created_at: string;
  updated_at: string;
  expire_after_days: number;
  days_remaining: number;
  views_remaining: number;
  deleted: boolean;
  json_url: string;
  html_url: string;
  kind: PushKind;
  expires_at: string;
  passphrase_required: boolean;
  /** Absent unless true, so that responses about all other pushes are as they were before there was this key. */
  client_encrypted?: true;
  /** Absent unless true: to everybody but its owner it does not exist. */
  owner_only?: true;
  /** Absent without this limit. */
  expire_after_first_view?: number;
  /** Absent when it can be opened from the start. */
  opens_at?: string;
  /** Absent unless true: it can be opened only from some networks. */
  limited_to_networks?: true;
  /** Absent unless true: it opens only with a code that one of its recipients gets by mail. */
  recipients_required?: true;

  static of(push: Push, urlToken: string, { baseUrl }: Visitor, now: Date): PushDto {
    return {
      expire_after_views: push.expireAfterViews,
      expired: push.isExpired(now),
      url_token: urlToken,
      deletable_by_viewer: push.deletableByViewer,
      retrieval_step: push.retrievalStep,
      expired_on: push.endedOn(now)?.toISOString() ?? null,
      passphrase: null,
      created_at: push.createdAt.toISOString(),
      updated_at: push.lastChangedOn(now).toISOString(),
      expire_after_days: push.expireAfterDays,
      days_remaining: push.daysRemaining(now),
      views_remaining: push.viewsRemaining(),
      deleted: push.deleted,
      json_url: `${baseUrl}/api/v2/pushes/${urlToken}`,
      html_url: htmlUrl(push, urlToken, baseUrl),
      kind: push.kind,
      expires_at: push.expiresAt.toISOString(),
      passphrase_required: push.isProtected(now),
      ...clientEncryptionOf(push),
      ...(push.ownerOnly && { owner_only: true }),
      ...(push.expireAfterFirstView !== null && { expire_after_first_view: push.expireAfterFirstView }),
      ...(push.opensAt && { opens_at: push.opensAt.toISOString() }),
      ...(push.allowedNetworks && { limited_to_networks: true }),
      ...(push.recipients && { recipients_required: true }),
    };
  }
}

/** A push as its owner or creator sees it. */
export class OwnPushDto extends PushDto implements Record<OwnerText, string> {
  name: string;
  note: string;
  /** Absent when it can be opened from everywhere. */
  allowed_networks?: string[];
  /** Who else may open it: email addresses, and domains such as `@example.com`. Absent when whoever has its link may. */
  recipients?: string[];
  /** Absent unless true: the page of its link says nothing about its kind and its files before it is opened. */
  hides_contents?: true;
  /** Absent unless true: each recipient may open it only once. */
  once_per_recipient?: true;
  /** Absent unless true: token, name, note or recipients cannot be read, because the row is damaged, and is empty. */
  unreadable?: true;

  static ofOwn(push: Push, fields: OwnerFields, visitor: Visitor, now: Date): OwnPushDto {
    const { urlToken, recipients, isUnreadable, ...texts } = fields;
    return {
      ...PushDto.of(push, urlToken, visitor, now),
      ...(urlToken === '' && { json_url: '', html_url: '' }),
      ...texts,
      ...(push.allowedNetworks && { allowed_networks: push.allowedNetworks }),
      ...(recipients && { recipients }),
      ...(push.hidesContents && { hides_contents: true }),
      ...(push.oncePerRecipient && { once_per_recipient: true }),
      ...(isUnreadable && { unreadable: true }),
    };
  }
}

/** A push as it is retrieved. */
export class RetrievedPushDto extends PushDto {
  /** The secret; null once expired. */
  payload: string | null;
  files: FileLinkDto[];
  /** Names of files that were missing where the push was imported from. Absent when there are none. */
  missing_files?: string[];
}

/** The URL at which a person opens a push. */
export class PreviewDto {
  url: string;
  /** The same as in `PushDto`. If true, `url` is the link without its key. */
  client_encrypted?: true;

  static of(push: Push, urlToken: string, { baseUrl }: Visitor): PreviewDto {
    return { url: htmlUrl(push, urlToken, baseUrl), ...clientEncryptionOf(push) };
  }
}

function clientEncryptionOf({ clientEncrypted }: Push): Pick<PushDto, 'client_encrypted'> {
  return clientEncrypted ? { client_encrypted: true } : {};
}

/** The URL at which a person opens a push. */
export function htmlUrl(
  { retrievalStep }: Pick<Push, 'retrievalStep'>,
  urlToken: string,
  baseUrl: string,
): string {
  return `${baseUrl}/p/${urlToken}${retrievalStep ? '/r' : ''}`;
}
