import { wholeNumber } from '../../platform/settings/parsers.js';
import { ofOneProcess, Setting } from '../../platform/settings/setting.js';

export class MetricsSettings {
  // Server

  /**
   * Port of HOST that serves `/metrics` for Prometheus, without authentication; 0 means any free one; when
   * absent, nothing is measured.
   */
  @Setting(ofOneProcess(wholeNumber(0, 65535))) METRICS_PORT?: number;
}
