import cluster from 'node:cluster';
import { OnEvent } from '@nestjs/event-emitter';
import { AggregatorRegistry, Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { DataSource } from 'typeorm';
import type { CompletedRequest } from '../http/requests/request-log.js';
import { ExpiryRunCompleted } from '../pushes/expiry/expiry-run-completed.js';
import { PassphraseFailed, PushCreated, PushExpired, PushRetrieved } from '../pushes/push/push-events.js';
import { connectionsOf } from './connections.js';
import { Metrics } from './metrics.js';

/** Clients can send any method, so only those with routes have a label of their own. */
const METHODS = ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS'];
const DURATION_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Metrics for Prometheus, loaded only if they are on. Label values never contain an address, a token or a secret. */
export class PrometheusMetrics extends Metrics {
  private readonly registry = new Registry();

  private readonly requests = this.counter('requests_total', 'Requests by route and status', [
    'method',
    'route',
    'status',
  ]);
  private readonly durations = new Histogram({
    name: 'sealpush_request_duration_seconds',
    help: 'Time from a request to the end of its response',
    labelNames: ['method', 'route'],
    buckets: DURATION_BUCKETS,
    registers: [this.registry],
  });
  private readonly throttled = this.counter(
    'throttled_total',
    'Requests rejected by a limit: requests, request bodies or uploads, or attempts at passphrases and passwords',
    ['limit'],
  );
  private readonly pushesCreated = this.counter('pushes_created_total', 'Pushes created', ['kind']);
  private readonly pushesRetrieved = this.counter('pushes_retrieved_total', 'Secrets shown', ['kind']);
  private readonly pushesExpired = this.counter('pushes_expired_total', 'Pushes that ended, by cause', [
    'kind',
    'by',
  ]);
  private readonly failures = this.counter('passphrases_failed_total', 'Wrong passphrases', []);
  private readonly expiryRuns = this.counter(
    'sweeps_total',
    'Runs of the expiry schedule in this process',
    [],
  );
  private readonly removed = this.counter('pushes_removed_total', 'Ended pushes removed by the schedule', []);
  private readonly expiryRunDuration = this.gauge('sweep_duration_seconds', 'How long the last run took');
  private readonly expiryRunTime = this.gauge('sweep_timestamp_seconds', 'When the last run ended');

  constructor(dataSource: DataSource) {
    super();
    collectDefaultMetrics({ register: this.registry });
    if (cluster.isWorker) this.reportToSupervisor();
    new Gauge({
      name: 'sealpush_database_connections',
      help: 'Connections to the database server by state, and how many requests for one are queued',
      labelNames: ['state'],
      registers: [this.registry],
      collect() {
        for (const [state, count] of Object.entries(connectionsOf(dataSource))) this.set({ state }, count);
      },
    });
  }

  override request({ method, route, status, milliseconds, throttledBy }: CompletedRequest): void {
    const known = METHODS.includes(method) ? method : 'other';
    this.requests.inc({ method: known, route, status });
    this.durations.observe({ method: known, route }, milliseconds / 1000);
    if (throttledBy !== undefined) this.throttled.inc({ limit: throttledBy });
  }

  @OnEvent(PushCreated.eventName)
  created({ kind }: PushCreated): void {
    this.pushesCreated.inc({ kind });
  }

  @OnEvent(PushRetrieved.eventName)
  retrieved({ kind }: PushRetrieved): void {
    this.pushesRetrieved.inc({ kind });
  }

  @OnEvent(PushExpired.eventName)
  expired({ kind, by }: PushExpired): void {
    this.pushesExpired.inc({ kind, by });
  }

  @OnEvent(PassphraseFailed.eventName)
  passphraseFailed(): void {
    this.failures.inc();
  }

  @OnEvent(ExpiryRunCompleted.eventName)
  expiryRunCompleted({ removed, milliseconds }: ExpiryRunCompleted): void {
    this.expiryRuns.inc();
    this.removed.inc(removed);
    this.expiryRunDuration.set(milliseconds / 1000);
    this.expiryRunTime.setToCurrentTime();
  }

  override text(): Promise<string> {
    return this.registry.metrics();
  }

  /** The supervisor queries each worker for its metrics and serves their sum. */
  private reportToSupervisor(): void {
    AggregatorRegistry.setRegistries(this.registry);
    new AggregatorRegistry();
  }

  private counter(name: string, help: string, labelNames: string[]): Counter {
    return new Counter({ name: `sealpush_${name}`, help, labelNames, registers: [this.registry] });
  }

  private gauge(name: string, help: string): Gauge {
    return new Gauge({ name: `sealpush_${name}`, help, aggregator: 'max', registers: [this.registry] });
  }
}
