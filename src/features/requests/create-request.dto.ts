import { recipientError } from '../../shared/age-recipient.js';
import { Problem } from '../../platform/errors/problem.js';
import { textError } from '../../platform/http/validation/text-error.js';
import {
  CheckedBy,
  BooleanField,
  IntegerField,
  ConvertedBy,
  TextField,
  isAbsent,
  toInteger,
} from '../../platform/http/validation/validation.pipe.js';
import type { NewPush } from '../../pushes/create/create-push.dto.js';
import { DURATION_SCALE, MAX_NAME, MAX_NOTE } from '../../pushes/create/create-push.dto.js';
import { passphraseProblem } from '../../pushes/create/push-rules.js';
import type { MailedTo } from '../../pushes/fields/list-fields.js';
import { isBlankList, localeError } from '../../pushes/fields/list-fields.js';
import type { SecretRequestCheck } from './secret-request-rules.js';

const MAX_REQUEST = 10_000;
const MAX_ANSWERS = 100;

/** A request to be created, with its field names in the API, and their rules. */
export class CreateRequestDto {
  @CheckedBy(requestProblem)
  request?: string | null;

  @TextField(MAX_NAME)
  name?: string | null;

  @TextField(MAX_NOTE)
  note?: string | null;

  @CheckedBy(passphraseProblem)
  passphrase?: string | null;

  /** An age recipient. With one, answers must be encrypted to it. */
  @CheckedBy((recipient) => Boolean(recipient) && recipientError(recipient))
  recipient?: string | null;

  @IntegerField({ min: 0, max: DURATION_SCALE.length - 1 })
  close_after_duration?: number | null;

  @IntegerField({ min: 1, max: MAX_ANSWERS })
  answers?: number | null;

  @IntegerField(({ pushRules }: SecretRequestCheck) => pushRules.days)
  expire_after_days?: number | null;

  @ConvertedBy(toInteger)
  @CheckedBy((_, request: CreateRequestDto, { pushRules }: SecretRequestCheck) =>
    pushRules.durationProblem(request),
  )
  expire_after_duration?: number | null;

  @IntegerField(({ pushRules }: SecretRequestCheck) => pushRules.views)
  expire_after_views?: number | null;

  @BooleanField()
  deletable_by_viewer?: boolean | null;

  @BooleanField()
  retrieval_step?: boolean | null;

  @BooleanField()
  response_file_attachments?: boolean | null;

  @BooleanField()
  include_requestor?: boolean | null;

  @CheckedBy((emails, _, { rules, user }: SecretRequestCheck) => rules.mailedToProblem(emails, user))
  notify_emails_to?: unknown;

  @CheckedBy(
    (locale, { notify_emails_to }: CreateRequestDto) => !isBlankList(notify_emails_to) && localeError(locale),
  )
  notify_emails_to_locale?: unknown;

  @CheckedBy((events, _, { rules, user }: SecretRequestCheck) => rules.noticesProblem(events, user))
  notify_on?: unknown;
}

function requestProblem(value: unknown): Problem | undefined {
  if (isAbsent(value) || value === '') return new Problem('blank');
  const problem = textError(value, MAX_REQUEST);
  return problem ?? ((value as string).trim() === '' ? new Problem('blank') : undefined);
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
