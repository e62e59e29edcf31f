import { declareCrossChecks } from '../../platform/settings/cross-checks.js';
import { wholeNumber } from '../../platform/settings/parsers.js';
import { Setting } from '../../platform/settings/setting.js';

export class UploadSettings {
  // Uploads in parts

  /**
   * Hours after which a file that was uploaded in parts ends, with what is stored of it, if no push has taken it, whether
   * it is complete or not.
   */
  @Setting(wholeNumber(1, 720)) UPLOAD_LIFETIME_HOURS: number = 24;
  /**
   * Files uploaded in parts that no push has taken yet, at most, of one account, or of one client address without an
   * account.
   */
  @Setting(wholeNumber(1, 10_000)) MAX_OPEN_UPLOADS: number = 100;
  /**
   * Bytes of the parts in which pages send files that are larger than 8 MiB. A proxy must accept bodies of this size; while
   * it refuses them, pages send smaller ones.
   */
  @Setting(wholeNumber(1_048_576, 1_073_741_824)) UPLOAD_PART_SIZE: number = 16_777_216;
}

declareCrossChecks(UploadSettings, {
  MAX_OPEN_UPLOADS: ({ MAX_OPEN_UPLOADS, MAX_FILES }) =>
    MAX_OPEN_UPLOADS < MAX_FILES && 'must not be less than MAX_FILES',
});
