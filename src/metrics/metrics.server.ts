import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import { Log } from '../common/log.js';
import { Settings } from '../settings/settings.js';
import { StartError } from '../settings/start-error.js';
import { Metrics } from './metrics.js';

/** Tells the metrics on a port of their own, which visitors need not reach. */
@Injectable()
export class MetricsServer implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly server: Server = createServer((request, response) => void this.answer(request, response));

  constructor(
    private readonly settings: Settings,
    private readonly metrics: Metrics,
    private readonly log: Log,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { METRICS_PORT, HOST } = this.settings;
    if (METRICS_PORT === undefined) return;
    try {
      await once(this.server.listen(METRICS_PORT, HOST), 'listening');
    } catch (error) {
      const { code = 'unknown' } = error as NodeJS.ErrnoException;
      throw new StartError(
        `Metrics cannot be told on port ${METRICS_PORT} of ${HOST} (${code}). Set METRICS_PORT.`,
      );
    }
    this.log.event('Telling metrics', { port: this.port });
  }

  /** Where it listens; undefined when it does not. */
  get port(): number | undefined {
    return (this.server.address() as AddressInfo | null)?.port;
  }

  onApplicationShutdown(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async answer({ method, url }: IncomingMessage, response: ServerResponse): Promise<void> {
    if (method !== 'GET' || url !== '/metrics') {
      response.writeHead(404, { 'Content-Type': 'application/json' }).end('{"error":"not-found"}');
      return;
    }
    try {
      const text = await this.metrics.text();
      response.writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text);
    } catch (error) {
      this.log.failure('The metrics cannot be told', error);
      response.writeHead(500).end();
    }
  }
}
