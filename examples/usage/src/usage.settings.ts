import { flag, Setting } from 'sealpush';

export class UsageSettings {
  /** Whether clients without a token may read the total. */
  @Setting(flag) USAGE_TOTAL_IS_OPEN: boolean = false;
}
