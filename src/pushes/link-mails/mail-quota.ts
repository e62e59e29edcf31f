import { Injectable } from '@nestjs/common';
import { DailyQuota } from '../../throttling/daily-quota.js';

/** The mails with links that an account asks for in a day, including those that are never delivered. */
@Injectable()
export class MailQuota extends DailyQuota {
  protected readonly column = 'mails';
  protected readonly max = this.settings.MAILS_PER_DAY;
  protected readonly message = `This account may have ${this.max} mails sent a day (UTC). Try again tomorrow.`;
}
