import cluster from 'node:cluster';
import { OnEvent } from '@nestjs/event-emitter';
import { AggregatorRegistry, Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { DataSource } from 'typeorm';
import type { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import type { BodiesInProgress } from '../../platform/http/body/bodies-in-progress.js';
import type { Pipelines } from '../../platform/http/connections/connection-limits.js';
import type { CompletedRequest } from '../../platform/http/requests/prepare-requests.js';
import { LIMITS } from '../../platform/http/errors/too-many-requests.js';
import { ATTEMPT_RESULTS, MessageAttempted } from '../../platform/outbox/outbox-sender.js';
import type { OutboxChannels } from '../../platform/outbox/outbox-channels.js';
import { ExpiryRunCompleted } from '../../pushes/expiry/expiry.schedule.js';
import { PassphraseFailed, PushCreated, PushExpired, PushRetrieved } from '../../pushes/push/push-events.js';
import { PUSH_KINDS } from '../../shared/push-kind.js';
import type { HashingQueues } from '../../platform/limits/hashing-queues.js';
import type { Settings } from '../../platform/settings/settings.js';
import { WebhookDisabled } from '../webhooks/webhook-disabled.event.js';
import type { ChannelState, InstanceState } from './instance-state.js';
import { InstanceStateReader } from './instance-state.js';
import { Metrics } from './metrics.js';
import { engineOf } from '../../platform/database/engines/engines.js';

/** Clients can send any method, so only those with routes have a label of their own. */
const METHODS = ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS'];
const DURATION_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** What is measured when the metrics are read, not when something happens. */
export interface Measured {
  settings: Settings;
  dataSource: DataSource;
  unitOfWork: UnitOfWork;
  hashing: HashingQueues;
  bodies: BodiesInProgress;
  channels: OutboxChannels;
}

/** The values of a gauge at this moment, by the value of its label, if it has one. Undefined if it cannot be read. */
type Values = number | [label: string, value: number][] | undefined;

/** The values of each label, as far as they are known. */
type LabelValues = Record<string, readonly string[]>;

/** Metrics for Prometheus, loaded only if they are on. Label values never contain an address, a token or a secret. */
export class PrometheusMetrics extends Metrics {
  private readonly registry = new Registry();

  private readonly requests = this.counter('requests_total', 'Requests by route and status', {
    method: METHODS,
    route: [],
    status: [],
  });
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
    { limit: LIMITS },
  );
  private readonly pushesCreated = this.counter('pushes_created_total', 'Pushes created', {
    kind: PUSH_KINDS,
  });
  private readonly pushesRetrieved = this.counter('pushes_retrieved_total', 'Secrets shown', {
    kind: PUSH_KINDS,
  });
  private readonly pushesExpired = this.counter('pushes_expired_total', 'Pushes that ended, by cause', {
    kind: PUSH_KINDS,
    by: ['views', 'days', 'delete'],
  });
  private readonly failures = this.counter('passphrases_failed_total', 'Wrong passphrases');
  private readonly expiryRuns = this.counter('sweeps_total', 'Runs of the expiry schedule in this process');
  private readonly removed = this.counter('pushes_removed_total', 'Ended pushes removed by the schedule');
  private readonly expiryRunDuration = this.gauge('sweep_duration_seconds', 'How long the last run took');
  private readonly expiryRunTime = this.gauge('sweep_timestamp_seconds', 'When the last run ended');

  private readonly messages: Counter;
  private readonly webhooksDisabled = this.counter(
    'webhooks_disabled_total',
    'Webhooks that were disabled because they no longer worked',
  );
  private pipelines?: Pipelines;

  constructor({ settings, dataSource, unitOfWork, hashing, bodies, channels }: Measured) {
    super();
    collectDefaultMetrics({ register: this.registry });
    this.messages = this.counter('messages_total', 'Attempts to send a message, by their result', () => ({
      channel: channels.names,
      result: ATTEMPT_RESULTS,
    }));
    if (cluster.isWorker) this.reportToSupervisor();
    this.measure(
      'database_connections',
      'Connections to the database server by state, and how many requests for one are queued',
      () => Object.entries(engineOf(dataSource).connections(dataSource)),
      { label: 'state' },
    );
    this.measure('queue_length', 'Hashes of passphrases and passwords that wait', () => hashing.lengths, {
      label: 'queue',
    });
    this.measure('writes_in_progress', 'Transactions that wait or run', () => unitOfWork.inProgress);
    this.measure('bodies_in_progress', 'Request bodies that have not arrived completely', () => bodies.count);
    this.measure('connections', 'Open connections that have sent a request', () => this.pipelineList.length);
    this.measure('unread_response_bytes', 'Bytes of responses that clients have not read', () =>
      this.pipelineList.reduce((sum, { unread }) => sum + unread, 0),
    );
    this.measureInstance(new InstanceStateReader(dataSource, channels, settings));
  }

  override watch(pipelines: Pipelines): void {
    this.pipelines = pipelines;
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

  @OnEvent(MessageAttempted.eventName)
  messageAttempted({ channel, result }: MessageAttempted): void {
    this.messages.inc({ channel, result });
  }

  @OnEvent(WebhookDisabled.eventName)
  webhookDisabled(): void {
    this.webhooksDisabled.inc();
  }

  override text(): Promise<string> {
    return this.registry.metrics();
  }

  /** The supervisor queries each worker for its metrics and serves their sum. */
  private reportToSupervisor(): void {
    AggregatorRegistry.setRegistries(this.registry);
    new AggregatorRegistry();
  }

  private get pipelineList() {
    return [...(this.pipelines?.all() ?? [])];
  }

  /** Of workers, which share database and disk, the supervisor serves the largest value that one of them can read. */
  private measureInstance(reader: InstanceStateReader): void {
    const measure = (name: string, help: string, read: (state: InstanceState) => Values, label?: string) => {
      this.measure(name, help, async () => read(await reader.current()), { label, aggregator: 'max' });
    };
    const measureChannels = (name: string, help: string, of: keyof ChannelState) => {
      const read = ({ outbox }: InstanceState): Values =>
        Object.entries(outbox?.channels ?? {}).map(([channel, state]) => [channel, state[of]]);
      measure(name, help, read, 'channel');
    };
    measureChannels('outbox_waiting', 'Messages that wait to be sent, at most 10,000', 'waiting');
    measure(
      'outbox_due',
      'Messages whose time to be sent has come, at most 10,000',
      ({ outbox }) => outbox?.due,
    );
    measureChannels('outbox_failed', 'Messages of the last 30 days that failed, at most 10,000', 'failed');
    measureChannels('outbox_oldest_seconds', 'How long the oldest message has waited', 'oldestSeconds');
    measure('disk_free_bytes', 'Free space of the disk with DATA_DIR', ({ disk }) => disk?.free);
    measure('disk_reserve_bytes', 'What uploads leave free of it', ({ disk }) => disk?.reserve);
    measure('disk_total_bytes', 'Its size', ({ disk }) => disk?.total);
    measure(
      'database_bytes',
      'Size of the SQLite database and of its write-ahead log',
      ({ database }) => Object.entries(database ?? {}),
      'file',
    );
    this.measure(
      'collector_success',
      'Whether the metrics of the outbox, the disk and the SQLite database can be read',
      async () =>
        Object.entries(await reader.current()).map(([part, value]) => [part, value === undefined ? 0 : 1]),
      { label: 'collector', aggregator: 'min' },
    );
  }

  /** A value that cannot be read is absent: workers cannot send NaN to their supervisor. */
  private measure(
    name: string,
    help: string,
    read: () => Values | Promise<Values>,
    { label, aggregator = 'sum' }: { label?: string; aggregator?: 'sum' | 'max' | 'min' } = {},
  ): void {
    new Gauge({
      name: `sealpush_${name}`,
      help,
      labelNames: label === undefined ? [] : [label],
      registers: [this.registry],
      aggregator,
      async collect() {
        const values = await read();
        this.reset();
        if (typeof values === 'number') this.set(values);
        else if (label === undefined) this.remove();
        else for (const [of, value] of values ?? []) this.set({ [label]: of }, value);
      },
    });
  }

  /** A counter that begins with 0, so that its first increase is seen as one, for all known values of its labels. */
  private counter(name: string, help: string, labels: LabelValues | (() => LabelValues) = {}): Counter {
    const known = () => (typeof labels === 'function' ? labels() : labels);
    return new Counter({
      name: `sealpush_${name}`,
      help,
      labelNames: Object.keys(known()),
      registers: [this.registry],
      collect() {
        for (const combination of combinationsOf(known())) this.inc(combination, 0);
      },
    });
  }

  private gauge(name: string, help: string): Gauge {
    return new Gauge({ name: `sealpush_${name}`, help, aggregator: 'max', registers: [this.registry] });
  }
}

/** None if a label has no known values. */
function combinationsOf(labels: LabelValues): Record<string, string>[] {
  return Object.entries(labels).reduce<Record<string, string>[]>(
    (combinations, [label, values]) =>
      combinations.flatMap((others) => values.map((value) => ({ ...others, [label]: value }))),
    [{}],
  );
}
