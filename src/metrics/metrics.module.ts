import { Module } from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { Settings } from '../settings/settings.js';
import { Metrics } from './metrics.js';
import { MetricsServer } from './metrics.server.js';

@Module({
  providers: [
    { provide: Metrics, inject: [Settings, getDataSourceToken()], useFactory: metricsFor },
    MetricsServer,
  ],
})
export class MetricsModule {}

/** The library is loaded only if metrics are on; it measures as soon as it is loaded. */
async function metricsFor({ METRICS_PORT }: Settings, dataSource: DataSource): Promise<Metrics> {
  if (METRICS_PORT === undefined) return new Metrics();

  const { PrometheusMetrics } = await import('./prometheus-metrics.js');
  return new PrometheusMetrics(dataSource);
}
