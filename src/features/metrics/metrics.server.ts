import cluster from 'node:cluster';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import type { Pipelines } from '../../platform/http/connections/connection-limits.js';
import { ServerObserver } from '../../platform/http/requests/prepare-requests.js';
import { Log } from '../../platform/logging/log.js';
import { Settings } from '../../platform/settings/settings.js';
import { MetricsSettings } from './metrics.settings.js';
import { serveMetrics } from './serve-metrics.js';
import { Metrics } from './metrics.js';

/** Serves the metrics of this process, unless it is a worker: the supervisor serves the metrics of all workers. */
@Injectable()
@ServerObserver()
export class MetricsServer implements ServerObserver, OnApplicationBootstrap, OnApplicationShutdown {
  private server?: Server;

  constructor(
    private readonly settings: MetricsSettings,
    private readonly serviceSettings: Settings,
    private readonly metrics: Metrics,
    private readonly log: Log,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { METRICS_PORT } = this.settings;
    if (METRICS_PORT === undefined || cluster.isWorker) return;
    this.server = await serveMetrics(
      METRICS_PORT,
      this.serviceSettings.HOST,
      () => this.metrics.text(),
      this.log,
    );
  }

  get request(): ServerObserver['request'] {
    return this.metrics.request?.bind(this.metrics);
  }

  watch(pipelines: Pipelines): void {
    this.metrics.watch?.(pipelines);
  }

  /** The port on which it listens; undefined when it does not. */
  get port(): number | undefined {
    return (this.server?.address() as AddressInfo | null | undefined)?.port;
  }

  onApplicationShutdown(): void {
    this.server?.close();
    this.server?.closeAllConnections();
  }
}
