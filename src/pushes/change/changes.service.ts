import { Injectable, NotFoundException } from '@nestjs/common';
import { AuditService } from '../../audit/audit.service.js';
import { Problem } from '../../platform/errors/problem.js';
import type { FieldProblems } from '../../platform/http/validation/validation.pipe.js';
import {
  CheckedBy,
  assertValid,
  dtoFrom,
  ConvertedBy,
  isAbsent,
  rangeProblem,
  timeProblem,
  toTime,
} from '../../platform/http/validation/validation.pipe.js';
import type { Visitor } from '../../platform/http/visitor.js';
import { DAY_MS } from '../../platform/settings/units.js';
import { CreatePushDto, DURATION_SCALE } from '../create/create-push.dto.js';
import type { PushFields } from '../fields/push-fields.js';
import type { OwnPushDto } from '../push/push.dto.js';
import type { LowerLimits, Push, PushChange } from '../push/push.entity.js';
import { PushRepository } from '../push/push.repository.js';
import { PushesService } from '../push/pushes.service.js';
import { RecipientsService } from '../recipients/recipients.service.js';

/** The fields of a creation, of which few may change, and `expires_at`. */
class ChangePushDto extends CreatePushDto {
  @ConvertedBy(toTime)
  @CheckedBy(timeProblem)
  expires_at?: Date | null;
}

/** Changes of pushes by their owners: to other recipients, fewer views and an earlier end. */
@Injectable()
export class ChangesService {
  constructor(
    private readonly repository: PushRepository,
    private readonly pushes: PushesService,
    private readonly recipients: RecipientsService,
    private readonly audit: AuditService,
  ) {}

  /**
   * Changes an active push. Repeating it changes nothing.
   * @param fields not validated
   * @throws NotFoundException also when it has ended, or belongs to another account
   * @throws InvalidFields with what is wrong with each field
   */
  async change(
    urlToken: string,
    fields: PushFields,
    visitor: Visitor,
    now = new Date(),
  ): Promise<OwnPushDto> {
    const push = await this.repository.findOwn(urlToken, visitor);
    const requested = dtoFrom(ChangePushDto, fields);
    await this.repository.apply(
      push,
      (current) => this.changeOf(current, requested, now),
      (tx) => {
        this.audit.record(tx, { pushId: push.id, kind: 'edit', urlToken, byOwner: true }, visitor, now);
      },
    );
    return this.pushes.findOwn(urlToken, visitor, now);
  }

  private changeOf(push: Push, { recipients, ...limits }: ChangePushDto, now: Date): PushChange | undefined {
    const lower = push.lower(lowerLimits(limits, push, now), now);
    const others = isAbsent(recipients) ? undefined : this.recipients.changeFor(push, recipients, now);
    return (lower ?? others) && { ...lower, ...others };
  }
}

/** The limits that the fields give this push as it is now: a view may have been counted since the request came. */
function lowerLimits(fields: Omit<ChangePushDto, 'recipients'>, push: Push, now: Date): LowerLimits {
  if (push.isExpired(now)) throw new NotFoundException();
  const {
    expire_after_views: views,
    expires_at,
    expire_after_days,
    expire_after_duration,
    ...others
  } = fields;
  const days = expire_after_days ?? undefined;
  const step = days === undefined ? (expire_after_duration ?? undefined) : undefined; // otherwise ignored, as in a creation
  const ends = {
    expires_at: expires_at ?? undefined,
    expire_after_days: days === undefined ? undefined : endAfter(push, days * DAY_MS),
    expire_after_duration: step === undefined ? undefined : endAfter(push, DURATION_SCALE[step]?.lifetime),
  };
  const endProblem = (end: Date | undefined): FieldProblems =>
    end && !push.mayEndOn(end, now) && new Problem('end_only_earlier');
  assertValid({
    ...Object.fromEntries(
      Object.entries(others).map(([name, value]) => [
        name,
        !isAbsent(value) && new Problem('not_changeable'),
      ]),
    ),
    expire_after_views:
      !isAbsent(views) &&
      !push.mayAllow(views) &&
      new Problem('views_only_fewer', { min: push.viewsCounted + 1, max: push.expireAfterViews }),
    expires_at: timeProblem(expires_at) || endProblem(ends.expires_at),
    expire_after_days:
      rangeProblem(days, { min: 1, max: push.expireAfterDays }) || endProblem(ends.expire_after_days),
    expire_after_duration:
      rangeProblem(step, { min: 0, max: DURATION_SCALE.length - 1 }) ||
      endProblem(ends.expire_after_duration),
  });
  return { views: views ?? undefined, end: earliest(Object.values(ends)) };
}

/** Invalid, which no push may have as its end, for anything but a number of milliseconds. */
function endAfter({ createdAt }: Push, lifetime = NaN): Date {
  return new Date(createdAt.getTime() + lifetime);
}

function earliest(times: (Date | undefined)[]): Date | undefined {
  return times.filter((time) => time !== undefined).sort((a, b) => a.getTime() - b.getTime())[0];
}
