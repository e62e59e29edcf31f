import { Module } from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { BodiesInProgress } from '../../platform/http/body/bodies-in-progress.js';
import { BodyModule } from '../../platform/http/body/body.module.js';
import { OutboxChannels } from '../../platform/outbox/outbox-channels.js';
import { HashingQueues } from '../../platform/limits/hashing-queues.js';
import { provideSettings } from '../../platform/settings/current-settings.js';
import { Settings } from '../../platform/settings/settings.js';
import { MetricsSettings } from './metrics.settings.js';
import { OutboxModule } from '../../platform/outbox/outbox.module.js';
import { Metrics } from './metrics.js';
import { MetricsServer } from './metrics.server.js';

@Module({
  imports: [OutboxModule, BodyModule],
  providers: [
    provideSettings(MetricsSettings),
    {
      provide: Metrics,
      inject: [
        MetricsSettings,
        Settings,
        getDataSourceToken(),
        UnitOfWork,
        HashingQueues,
        BodiesInProgress,
        OutboxChannels,
      ],
      useFactory: metricsFor,
    },
    MetricsServer,
  ],
})
export class MetricsModule {}

/** The library is loaded only if metrics are on; it measures as soon as it is loaded. */
async function metricsFor(
  { METRICS_PORT }: MetricsSettings,
  settings: Settings,
  dataSource: DataSource,
  unitOfWork: UnitOfWork,
  hashing: HashingQueues,
  bodies: BodiesInProgress,
  channels: OutboxChannels,
): Promise<Metrics> {
  if (METRICS_PORT === undefined) return new Metrics();

  const { PrometheusMetrics } = await import('./prometheus-metrics.js');
  return new PrometheusMetrics({ settings, dataSource, unitOfWork, hashing, bodies, channels });
}
