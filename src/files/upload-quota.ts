import { Injectable } from '@nestjs/common';
import { TooManyRequests } from '../http/errors/too-many-requests.js';
import { DAY_MS, SECOND_MS } from '../settings/units.js';
import { DailyQuota } from '../throttling/daily-quota.js';

/** The bytes of the files of all pushes that an account creates in a day, including those that have ended. */
@Injectable()
export class UploadQuota extends DailyQuota {
  protected readonly column = 'bytes';
  protected readonly max = this.settings.UPLOAD_BYTES_PER_DAY;

  /** A 429 with the time until the next day. */
  exceededError(now = new Date()): TooManyRequests {
    const message = `This account may send ${this.max} bytes of files a day (UTC). Try again tomorrow.`;
    return new TooManyRequests(
      'requests',
      message,
      Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / SECOND_MS),
    );
  }
}
