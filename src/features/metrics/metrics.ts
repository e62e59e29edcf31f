import type { Pipelines } from '../../platform/http/connections/connection-limits.js';
import type { CompletedRequest } from '../../platform/http/requests/prepare-requests.js';

/** Measures a running process. This class measures nothing; `PrometheusMetrics` does. */
export class Metrics {
  request?(request: CompletedRequest): void;

  /** From now on, measures these connections. */
  watch?(pipelines: Pipelines): void;

  /** All metrics, in Prometheus' text format. */
  text(): Promise<string> {
    return Promise.resolve('');
  }
}
