import { Injectable } from '@nestjs/common';
import { TooManyRequests } from '../platform/http/errors/too-many-requests.js';
import { DAY_MS, SECOND_MS } from '../platform/settings/units.js';
import { DailyQuota } from '../auth/quotas/daily-quota.js';
import { Problem } from '../platform/errors/problem.js';

/** The bytes of the files of all pushes that an account creates in a day, including those that have ended. */
@Injectable()
export class UploadQuota extends DailyQuota {
  protected readonly column = 'bytes';
  protected readonly max = this.settings.UPLOAD_BYTES_PER_DAY;

  /** A 429 with the time until the next day. */
  exceededError(now = new Date()): TooManyRequests {
    return new TooManyRequests(
      'requests',
      new Problem('upload_quota_exceeded', { bytes: this.max }),
      Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / SECOND_MS),
    );
  }
}
