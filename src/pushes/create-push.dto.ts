import { IsBoolean, IsOptional } from 'class-validator';
import {
  AcceptableFiles,
  EnabledKind,
  FitsKind,
  OnDurationScale,
  Text,
  Within,
} from './create-push.validators.js';
import { readFiles } from './attached-files.js';
import { DURATION_SCALE, ofDays } from './duration-scale.js';
import type { PushKind } from './push-kind.js';
import type { PushRules } from './push-rules.js';
import type { PushTerms } from './push-terms.js';
import { toBoolean, toInteger } from './wire-values.js';

/** What a caller asks for when creating a push, by its names on the wire. The same in every encoding. */
export class CreatePushDto {
  @FitsKind()
  payload?: string;

  @AcceptableFiles()
  files?: unknown;

  @EnabledKind()
  kind: PushKind;

  @IsOptional()
  @Within((rules) => rules.days)
  expire_after_days?: number;

  @IsOptional()
  @OnDurationScale()
  expire_after_duration?: number;

  @IsOptional()
  @Within((rules) => rules.views)
  expire_after_views?: number;

  @IsOptional()
  @IsBoolean({ message: 'must be true or false' })
  deletable_by_viewer?: boolean;

  @IsOptional()
  @IsBoolean({ message: 'must be true or false' })
  retrieval_step?: boolean;

  @IsOptional()
  @Text(255)
  passphrase?: string;

  @IsOptional()
  @Text(255)
  name?: string;

  @IsOptional()
  @Text(2000)
  note?: string;

  /** `rules` are the instance's, for the validators; null is absent; whatever else came along is left behind. */
  constructor(
    push: object,
    readonly rules: PushRules,
  ) {
    const given = (field: string): unknown =>
      Object.hasOwn(push, field) ? ((push as Record<string, unknown>)[field] ?? undefined) : undefined;

    const days = toInteger(given('expire_after_days'));
    Object.assign(this, {
      payload: given('payload'),
      files: given('files'),
      kind: given('kind') ?? (given('files') === undefined ? 'text' : 'file'),
      expire_after_days: days,
      expire_after_duration: days === undefined ? toInteger(given('expire_after_duration')) : undefined,
      expire_after_views: toInteger(given('expire_after_views')),
      deletable_by_viewer: toBoolean(given('deletable_by_viewer')),
      retrieval_step: toBoolean(given('retrieval_step')),
      passphrase: given('passphrase'),
      name: given('name'),
      note: given('note'),
    });
  }

  /** What was asked for, with the instance's defaults where nothing was. Only after validation. */
  toTerms(): PushTerms {
    const { defaults } = this.rules;
    const { days, lifetime } =
      DURATION_SCALE[this.expire_after_duration ?? -1] ?? ofDays(this.expire_after_days ?? defaults.days);
    return {
      kind: this.kind,
      payload: this.payload ?? '',
      passphrase: this.passphrase || undefined,
      name: this.name || undefined,
      note: this.note || undefined,
      expireAfterDays: days,
      lifetime,
      expireAfterViews: this.expire_after_views ?? defaults.views,
      deletableByViewer: this.deletable_by_viewer ?? defaults.deletableByViewer,
      retrievalStep: this.retrieval_step ?? defaults.retrievalStep,
      files: readFiles(this.files),
    };
  }
}
