import { Injectable, UnprocessableEntityException } from '@nestjs/common';
import { canBeMailed } from '../../auth/entities/emails.js';
import type { User } from '../../auth/entities/user.entity.js';
import { Problem } from '../../platform/errors/problem.js';
import { textError } from '../../platform/http/validation/text-error.js';
import { validationPipe } from '../../platform/http/validation/validation.pipe.js';
import { MailsService } from '../../platform/mail/mails.service.js';
import { SecretRequestSettings } from './requests.settings.js';
import { recipientError } from '../../shared/age-recipient.js';
import { DURATION_SCALE } from '../../pushes/create/duration-scale.js';
import type { CreationPolicy } from '../../pushes/create/creation-policy.js';
import type { CreationWay } from '../../pushes/create/requirements.js';
import { requiredProblem } from '../../pushes/create/requirements.js';
import type { FieldProblems } from '../../pushes/create/push-rules.js';
import {
  booleanProblem,
  MAX_NAME,
  MAX_NOTE,
  passphraseProblem,
  problemsIn,
  PushRules,
  rangeProblem,
  textProblem,
} from '../../pushes/create/push-rules.js';
import type { PushFields } from '../../pushes/fields/push-fields.js';
import { isAbsent } from '../../pushes/fields/push-fields.js';
import { mailedToError, isBlankList, localeError, readMailedTo } from '../../pushes/fields/list-fields.js';
import type { NewSecretRequest } from './create-request.dto.js';
import { CreateRequestDto } from './create-request.dto.js';

const MAX_REQUEST = 10_000;
const MAX_ANSWERS = 100;
/** 7 days. */
const DEFAULT_DURATION = 12;
/** What `notify_on` of a request can name. */
const EVENT = 'answered';

/** The limits and defaults of this instance for requests: those of pushes, where they are the same. */
@Injectable()
export class SecretRequestRules {
  constructor(
    private readonly pushRules: PushRules,
    private readonly mails: MailsService,
    private readonly settings: SecretRequestSettings,
  ) {}

  /** @throws UnprocessableEntityException with what is wrong with each field */
  async validated(
    fields: PushFields,
    user: User,
    policy: CreationPolicy,
    way: CreationWay,
  ): Promise<NewSecretRequest> {
    const type = { type: 'body', metatype: CreateRequestDto } as const;
    const request = (await validationPipe.transform(fields, type)) as CreateRequestDto;
    policy.fillInLimits(request, this.pushRules);
    const encryption = policy.originOf('encryption', way);
    const problems = {
      ...problemsIn({
        ...policy.limitProblems(request, this.pushRules),
        recipient: !request.recipient && encryption && requiredProblem(encryption),
      }),
      ...this.problemsOf(request, user),
    };
    if (Object.keys(problems).length > 0) throw new UnprocessableEntityException(problems);
    return this.newRequestFrom(request, user);
  }

  private newRequestFrom(request: CreateRequestDto, user: User): NewSecretRequest {
    const { isEnabled: areFilesEnabled } = this.pushRules.files;
    const { expireAfterDays, lifetime, expireAfterViews, deletableByViewer, retrievalStep } =
      this.pushRules.newPushFrom(request);
    return {
      request: request.request ?? '',
      name: request.name ?? '',
      note: request.note ?? '',
      passphrase: request.passphrase || undefined,
      recipient: request.recipient || undefined,
      closeAfterDuration: request.close_after_duration ?? DEFAULT_DURATION,
      answers: request.answers ?? 1,
      terms: { expireAfterDays, lifetime, expireAfterViews, deletableByViewer, retrievalStep },
      filesAllowed: areFilesEnabled && (request.response_file_attachments ?? true),
      showsRequestor: request.include_requestor ?? false,
      notifies: this.mails.isEnabled && canBeMailed(user) && isWanted(request.notify_on),
      mailedTo: readMailedTo(request),
    };
  }

  private problemsOf(request: CreateRequestDto, user: User): Record<string, Problem[]> {
    const recipient = request.recipient || undefined;
    const found: Record<keyof CreateRequestDto, FieldProblems> = {
      request: requiredTextProblem(request.request, MAX_REQUEST),
      name: textProblem(request.name, MAX_NAME),
      note: textProblem(request.note, MAX_NOTE),
      passphrase: passphraseProblem(request.passphrase),
      recipient: recipient === undefined ? undefined : recipientError(recipient),
      close_after_duration: rangeProblem(request.close_after_duration, {
        min: 0,
        max: DURATION_SCALE.length - 1,
      }),
      answers: rangeProblem(request.answers, { min: 1, max: MAX_ANSWERS }),
      ...this.pushRules.limitProblems(request),
      deletable_by_viewer: booleanProblem(request.deletable_by_viewer),
      retrieval_step: booleanProblem(request.retrieval_step),
      response_file_attachments: booleanProblem(request.response_file_attachments),
      include_requestor: booleanProblem(request.include_requestor),
      ...this.mailProblems(request, user),
    };
    return problemsIn(found);
  }

  private mailProblems({ notify_on, ...request }: CreateRequestDto, user: User) {
    const { notify_emails_to: emails, notify_emails_to_locale: locale } = request;
    const unlessAvailable = (problem: () => FieldProblems): FieldProblems => {
      if (!this.mails.isEnabled) return new Problem('mails_unavailable');
      return canBeMailed(user) ? problem() : new Problem('mails_need_verified_email');
    };
    return {
      notify_emails_to:
        !isBlankList(emails) &&
        // the link leads to a page
        (this.settings.ENABLE_REQUESTS
          ? unlessAvailable(() => mailedToError(emails))
          : new Problem('mails_unavailable')),
      notify_emails_to_locale: !isBlankList(emails) && !isBlankList(locale) && localeError(locale),
      notify_on:
        !isBlankList(notify_on) &&
        unlessAvailable(() =>
          eventsIn(notify_on) ? undefined : new Problem('notices_unknown', { events: [EVENT] }),
        ),
    };
  }
}

function requiredTextProblem(value: unknown, max: number): Problem | undefined {
  if (isAbsent(value) || value === '') return new Problem('blank');
  const problem = textError(value, max);
  return problem ?? ((value as string).trim() === '' ? new Problem('blank') : undefined);
}

/** By default, the owner gets mails; a blank list says that they do not want any. */
function isWanted(value: unknown): boolean {
  return isAbsent(value) || !isBlankList(value);
}

function eventsIn(value: unknown): boolean {
  const names: unknown = typeof value === 'string' ? value.slice(0, 100).split(',') : value;
  return (
    Array.isArray(names) &&
    names.every((name) => typeof name === 'string' && ['', EVENT].includes(name.trim()))
  );
}
