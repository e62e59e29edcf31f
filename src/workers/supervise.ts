import { Log } from '../logging/log.js';
import { listenForMetrics } from '../metrics/listen-for-metrics.js';
import type { Settings } from '../settings/settings.js';
import { Supervisor } from './supervisor.js';

/** Serves by several worker processes instead of this one, which looks after them until it is told to stop. */
export async function supervise(settings: Settings): Promise<void> {
  const log = new Log(settings);
  const supervisor = new Supervisor(settings.WORKERS, log);
  const stop = () => void supervisor.stop().then((code) => process.exit(code));
  process.once('SIGTERM', stop).once('SIGINT', stop);
  // said twice, the workers are still being waited for
  process.on('SIGTERM', () => undefined).on('SIGINT', () => undefined);

  if (settings.METRICS_PORT !== undefined) {
    const { AggregatorRegistry } = await import('prom-client');
    const workers = new AggregatorRegistry();
    await listenForMetrics(settings.METRICS_PORT, settings.HOST, () => workers.clusterMetrics(), log);
  }
  const failure = await supervisor.start();
  if (failure !== undefined) process.exit(failure); // the worker has said why
}
