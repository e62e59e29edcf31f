import { Injectable } from '@nestjs/common';
import { canBeMailed } from '../../auth/entities/emails.js';
import type { User } from '../../auth/entities/user.entity.js';
import { Problem } from '../../platform/errors/problem.js';
import type { FieldProblems } from '../../platform/http/validation/validation.pipe.js';
import {
  assertValid,
  dtoFrom,
  problemsIn,
  problemsOf,
  isAbsent,
} from '../../platform/http/validation/validation.pipe.js';
import { MailsService } from '../../platform/mail/mails.service.js';
import { SecretRequestSettings } from './requests.settings.js';
import type { CreationPolicy, CreationWay } from '../../pushes/create/creation-policy.js';
import { requiredProblem } from '../../pushes/create/creation-policy.js';
import { PushRules } from '../../pushes/create/push-rules.js';
import type { PushFields } from '../../pushes/fields/push-fields.js';
import { mailedToError, isBlankList, readMailedTo } from '../../pushes/fields/list-fields.js';
import type { NewSecretRequest } from './create-request.dto.js';
import { CreateRequestDto } from './create-request.dto.js';

/** 7 days. */
const DEFAULT_DURATION = 12;
/** What `notify_on` of a request can name. */
const EVENT = 'answered';

/** What the rules of a request depend on. */
export interface SecretRequestCheck {
  rules: SecretRequestRules;
  pushRules: PushRules;
  user: User;
}

/** The limits and defaults of this instance for requests: those of pushes, where they are the same. */
@Injectable()
export class SecretRequestRules {
  constructor(
    private readonly pushRules: PushRules,
    private readonly mails: MailsService,
    private readonly settings: SecretRequestSettings,
  ) {}

  /** @throws InvalidFields */
  validated(fields: PushFields, user: User, policy: CreationPolicy, way: CreationWay): NewSecretRequest {
    const request = dtoFrom(CreateRequestDto, fields);
    policy.fillInLimits(request, this.pushRules);
    const encryption = policy.originOf('encryption', way);
    assertValid({
      ...problemsIn({
        ...policy.limitProblems(request, this.pushRules),
        recipient: !request.recipient && encryption && requiredProblem(encryption),
      }),
      ...problemsOf(request, { rules: this, pushRules: this.pushRules, user } satisfies SecretRequestCheck),
    });
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

  /** The link that is mailed leads to a page. */
  mailedToProblem(emails: unknown, user: User): FieldProblems {
    return this.settings.ENABLE_REQUESTS || isBlankList(emails)
      ? this.mailProblem(emails, user, mailedToError)
      : new Problem('mails_unavailable');
  }

  noticesProblem(events: unknown, user: User): FieldProblems {
    return this.mailProblem(
      events,
      user,
      () => !areKnown(events) && new Problem('notices_unknown', { events: [EVENT] }),
    );
  }

  private mailProblem(value: unknown, user: User, problem: (value: unknown) => FieldProblems): FieldProblems {
    if (isBlankList(value)) return undefined;
    if (!this.mails.isEnabled) return new Problem('mails_unavailable');
    return canBeMailed(user) ? problem(value) : new Problem('mails_need_verified_email');
  }
}

/** By default, the owner gets mails; a blank list says that they do not want any. */
function isWanted(value: unknown): boolean {
  return isAbsent(value) || !isBlankList(value);
}

function areKnown(value: unknown): boolean {
  const names: unknown = typeof value === 'string' ? value.slice(0, 100).split(',') : value;
  return (
    Array.isArray(names) &&
    names.every((name) => typeof name === 'string' && ['', EVENT].includes(name.trim()))
  );
}
