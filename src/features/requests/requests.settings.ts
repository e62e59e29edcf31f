import { flag, limit, wholeNumber } from '../../platform/settings/parsers.js';
import { Setting } from '../../platform/settings/setting.js';

export class SecretRequestSettings {
  // Requests

  /** Whether accounts may ask for secrets on the pages: [requests](end-to-end.md#answers-to-requests). */
  @Setting(flag) ENABLE_REQUESTS: boolean = true;
  /** Whether the API has requests; without it their paths are 404, as clients of other servers expect. */
  @Setting(flag) ENABLE_REQUESTS_API: boolean = false;
  /** Requests that an account may have open, at most. */
  @Setting(wholeNumber(1, 100_000)) MAX_OPEN_REQUESTS: number = 100;
  /** Bytes in the files of all answers to one request, at most; before encryption, if the client encrypts them. */
  @Setting(wholeNumber(1, 1_000_000_000_000)) MAX_REQUEST_SIZE: number = 262_144_000;
  /** Answers to requests from each client address in a minute, refused ones too; 0 is no limit. */
  @Setting(limit(1_000_000)) ANSWERS_PER_MINUTE: number = 10;
}
