import { Injectable, UnprocessableEntityException } from '@nestjs/common';
import { DailyQuota } from '../../throttling/daily-quota.js';

/** The mails with links that an account asks for in a day, including those that are never delivered. */
@Injectable()
export class MailQuota extends DailyQuota {
  protected readonly column = 'mails';
  protected readonly max = this.settings.MAILS_PER_DAY;

  /** A 422, as clients expect it. */
  exceededError(): UnprocessableEntityException {
    return new UnprocessableEntityException({
      base: ['The maximum number of emails has been reached for today'],
    });
  }
}
