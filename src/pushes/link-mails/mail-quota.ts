import { Inject, Injectable, UnprocessableEntityException } from '@nestjs/common';
import { InvalidFields } from '../../platform/http/validation/validation.pipe.js';
import { DailyQuota } from '../../auth/quotas/daily-quota.js';
import { Problem } from '../../platform/errors/problem.js';
import { RateLimiter } from '../../platform/limits/rate-limiter.js';

/** Of an account, in a minute, for existing pushes. */
const REQUESTS = { name: 'mails:', limit: 5, problem: new Problem('too_many_mail_requests') };

/** How many mails with links an account may ask for in a day, delivered or not, and how often in a minute. */
@Injectable()
export class MailQuota extends DailyQuota {
  protected readonly column = 'mails';
  protected readonly max = this.settings.MAILS_PER_DAY;

  @Inject() private readonly limiter: RateLimiter;

  /** A 422, as clients expect it. */
  exceededError(): UnprocessableEntityException {
    return new InvalidFields({
      base: [new Problem('mail_quota_exceeded')],
    });
  }

  /** @throws TooManyRequests */
  async assertNotTooOften(userId: string): Promise<void> {
    await this.limiter.admitAccount(REQUESTS, userId);
  }
}
