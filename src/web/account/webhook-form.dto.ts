import { CheckedBy } from '../../http/validation/checked-by.js';
import { Problem } from '../../errors/problem.js';
import { IsOptional, IsString, isUUID } from 'class-validator';
import type { WebhookEvent } from '../../webhooks/webhook-events.js';

type Checkboxes = Partial<Record<WebhookEvent, string>>;

export class WebhookFormDto implements Checkboxes {
  @IsString()
  url = '';

  /** The id of the webhook, chosen when the form was shown: sending the form again adds no second one. */
  @IsOptional()
  @CheckedBy((id) => (isUUID(id, '7') ? undefined : new Problem('not_a_string')))
  id?: string;

  @IsOptional()
  'push.created'?: string;

  @IsOptional()
  'push.retrieved'?: string;

  @IsOptional()
  'push.failed_passphrase'?: string;

  @IsOptional()
  'push.expired'?: string;

  @IsOptional()
  'push.deleted'?: string;
}
