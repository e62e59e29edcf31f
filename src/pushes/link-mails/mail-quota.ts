import { Injectable, UnprocessableEntityException } from '@nestjs/common';
import { DailyQuota } from '../../auth/quotas/daily-quota.js';
import { Problem } from '../../platform/errors/problem.js';

/** How many mails with links an account may ask for in a day, delivered or not. */
@Injectable()
export class MailQuota extends DailyQuota {
  protected readonly column = 'mails';
  protected readonly max = this.settings.MAILS_PER_DAY;

  /** A 422, as clients expect it. */
  exceededError(): UnprocessableEntityException {
    return new UnprocessableEntityException({
      base: [new Problem('mail_quota_exceeded')],
    });
  }
}
