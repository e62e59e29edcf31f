import { IsOptional, IsString, IsUUID } from 'class-validator';

/** The form also has a checkbox for each type of events. */
export class WebhookFormDto {
  @IsString()
  url = '';

  /** The id of the webhook, chosen when the form was shown: sending the form again adds no second one. */
  @IsOptional()
  @IsUUID('7', { message: 'must be a string' })
  id?: string;

  [event: string]: string | undefined;
}
