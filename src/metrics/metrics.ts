import type { ObservedRequest } from '../common/observe-requests.js';
import type { ExpirySwept } from '../pushes/expiry-swept.js';
import type { PassphraseFailed, PushCreated, PushExpired, PushRetrieved } from '../pushes/push-events.js';

/** What is measured of a running process. By itself it measures nothing; `PrometheusMetrics` does. */
export class Metrics {
  request?(request: ObservedRequest): void;
  created?(event: PushCreated): void;
  retrieved?(event: PushRetrieved): void;
  expired?(event: PushExpired): void;
  passphraseFailed?(event: PassphraseFailed): void;
  swept?(event: ExpirySwept): void;

  /** All that was measured so far, in Prometheus' text format. */
  text(): Promise<string> {
    return Promise.resolve('');
  }
}
