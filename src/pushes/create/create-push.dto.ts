import { Allow } from 'class-validator';
import type { PushKind } from '../../shared/push-kind.js';
import { BooleanField, EmptyIsAbsent, IntegerField, TimeField } from '../fields/field-decorators.js';

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
