import { Injectable } from '@nestjs/common';
import { DailyQuota } from '../throttling/daily-quota.js';

/** The bytes of the files of all pushes that an account creates in a day, including those that have ended. */
@Injectable()
export class UploadQuota extends DailyQuota {
  protected readonly column = 'bytes';
  protected readonly max = this.settings.UPLOAD_BYTES_PER_DAY;
  protected readonly message = `This account may send ${this.max} bytes of files a day (UTC). Try again tomorrow.`;
}
