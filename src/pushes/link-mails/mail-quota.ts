import { Injectable, UnprocessableEntityException } from '@nestjs/common';
import { InvalidFields } from '../../platform/http/validation/validation.pipe.js';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { DailyQuota } from '../../auth/quotas/daily-quota.js';
import { DailyUsage } from '../../auth/quotas/daily-usage.entity.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { Problem } from '../../platform/errors/problem.js';
import { TooManyRequests } from '../../platform/http/errors/too-many-requests.js';
import { Settings } from '../../platform/settings/settings.js';
import { SECOND_MS } from '../../platform/settings/units.js';
import { RateLimiter } from '../../platform/throttling/rate-limiter.js';

/** Of an account, for existing pushes. */
const REQUESTS_PER_MINUTE = 5;

/** How many mails with links an account may ask for in a day, delivered or not, and how often in a minute. */
@Injectable()
export class MailQuota extends DailyQuota {
  protected readonly column = 'mails';
  protected readonly max = this.settings.MAILS_PER_DAY;

  constructor(
    settings: Settings,
    @InjectRepository(DailyUsage) usage: Repository<DailyUsage>,
    unitOfWork: UnitOfWork,
    private readonly limiter: RateLimiter,
  ) {
    super(settings, usage, unitOfWork);
  }

  /** A 422, as clients expect it. */
  exceededError(): UnprocessableEntityException {
    return new InvalidFields({
      base: [new Problem('mail_quota_exceeded')],
    });
  }

  /** @throws TooManyRequests */
  async assertNotTooOften(userId: string): Promise<void> {
    const waitMs = await this.limiter.hit(`mails:${userId}`, REQUESTS_PER_MINUTE);
    if (waitMs > 0)
      throw new TooManyRequests(
        'requests',
        new Problem('too_many_mail_requests'),
        Math.ceil(waitMs / SECOND_MS),
      );
  }
}
