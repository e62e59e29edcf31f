import { Allow } from 'class-validator';
import type { NewPush } from '../../pushes/create/create-push.dto.js';
import type { MailedTo } from '../../pushes/fields/list-fields.js';
import { BooleanField, IntegerField } from '../../pushes/fields/push-fields.js';

/** A request to be created, with its field names in the API. */
export class CreateRequestDto {
  @Allow()
  request?: string | null;

  @Allow()
  name?: string | null;

  @Allow()
  note?: string | null;

  @Allow()
  passphrase?: string | null;

  /** An age recipient. With one, answers must be encrypted to it. */
  @Allow()
  recipient?: string | null;

  @IntegerField()
  @Allow()
  close_after_duration?: number | null;

  @IntegerField()
  @Allow()
  answers?: number | null;

  @IntegerField()
  @Allow()
  expire_after_days?: number | null;

  @IntegerField()
  @Allow()
  expire_after_duration?: number | null;

  @IntegerField()
  @Allow()
  expire_after_views?: number | null;

  @BooleanField()
  @Allow()
  deletable_by_viewer?: boolean | null;

  @BooleanField()
  @Allow()
  retrieval_step?: boolean | null;

  @BooleanField()
  @Allow()
  response_file_attachments?: boolean | null;

  @BooleanField()
  @Allow()
  include_requestor?: boolean | null;

  @Allow()
  notify_emails_to?: unknown;

  @Allow()
  notify_emails_to_locale?: unknown;

  @Allow()
  notify_on?: unknown;
}

/** The terms of the pushes that answers become. */
export type AnswerTerms = Pick<
  NewPush,
  'expireAfterDays' | 'lifetime' | 'expireAfterViews' | 'deletableByViewer' | 'retrievalStep'
>;

/** What a request is created from, with the defaults of this instance. */
export interface NewSecretRequest {
  request: string;
  name: string;
  note: string;
  passphrase?: string;
  recipient?: string;
  closeAfterDuration: number;
  answers: number;
  terms: AnswerTerms;
  filesAllowed: boolean;
  showsRequestor: boolean;
  notifies: boolean;
  /** Who gets a mail with its link. */
  mailedTo?: MailedTo;
}
