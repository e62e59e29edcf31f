import { Injectable } from '@nestjs/common';
import { TooManyRequests } from '../platform/http/errors/too-many-requests.js';
import { DailyQuota, untilNextDay } from '../auth/quotas/daily-quota.js';
import { Problem } from '../platform/errors/problem.js';

/** The bytes of the files of all pushes that an account creates in a day, including those that have ended. */
@Injectable()
export class UploadQuota extends DailyQuota {
  protected readonly column = 'bytes';
  protected readonly max = this.settings.UPLOAD_BYTES_PER_DAY;

  exceededError(now = new Date()): TooManyRequests {
    const problem = new Problem('upload_quota_exceeded', { bytes: this.max });
    return new TooManyRequests('requests', problem, untilNextDay(now));
  }
}
