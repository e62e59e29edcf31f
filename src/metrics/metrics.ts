import type { CompletedRequest } from '../http/request-log.js';

/** What is measured of a running process. By itself it measures nothing; `PrometheusMetrics` does. */
export class Metrics {
  request?(request: CompletedRequest): void;

  /** All that was measured so far, in Prometheus' text format. */
  text(): Promise<string> {
    return Promise.resolve('');
  }
}
