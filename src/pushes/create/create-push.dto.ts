import { IsBoolean, IsOptional } from 'class-validator';
import { Text } from '../../http/validation/text.js';
import type { PushKind } from '../push/push-kind.js';
import {
  AcceptableFiles,
  AcceptableNotices,
  AcceptablePassphrase,
  AcceptableRecipients,
  EnabledKind,
  FitsKind,
  LocaleOfRecipients,
  OnDurationScale,
  WithinLimits,
} from './create-push.validators.js';
import { EmptyIsAbsent, BooleanField, IntegerField } from '../fields/field-decorators.js';

/** A request to create a push, with its field names in the API. The same in every encoding; null counts as absent. */
export class CreatePushDto {
  @FitsKind()
  payload?: string | null;

  /** An array in JSON; an `Upload` when they came as parts of a form. */
  @AcceptableFiles()
  files?: unknown;

  @EmptyIsAbsent()
  @EnabledKind()
  kind?: PushKind | null;

  @IntegerField()
  @IsOptional()
  @WithinLimits('days')
  expire_after_days?: number | null;

  /** Used when there are no days (docs/api.md, Create). */
  @IntegerField()
  @OnDurationScale()
  expire_after_duration?: number | null;

  @IntegerField()
  @IsOptional()
  @WithinLimits('views')
  expire_after_views?: number | null;

  @BooleanField()
  @IsOptional()
  @IsBoolean({ message: 'must be true or false' })
  deletable_by_viewer?: boolean | null;

  @BooleanField()
  @IsOptional()
  @IsBoolean({ message: 'must be true or false' })
  retrieval_step?: boolean | null;

  @BooleanField()
  @IsOptional()
  @IsBoolean({ message: 'must be true or false' })
  client_encrypted?: boolean | null;

  @AcceptablePassphrase()
  passphrase?: string | null;

  @IsOptional()
  @Text(255)
  name?: string | null;

  @IsOptional()
  @Text(2000)
  note?: string | null;

  /** A list, or a text with commas. */
  @AcceptableRecipients()
  notify_emails_to?: unknown;

  @LocaleOfRecipients()
  notify_emails_to_locale?: unknown;

  /** A list, or a text with commas. */
  @AcceptableNotices()
  notify_on?: unknown;
}
