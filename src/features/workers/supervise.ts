import { Log } from '../../platform/logging/log.js';
import { redirectConsole, logUncaughtErrors } from '../../platform/logging/process-output.js';
import { serveMetrics } from '../metrics/serve-metrics.js';
import { MetricsSettings } from '../metrics/metrics.settings.js';
import type { AllSettings } from '../../platform/settings/read-settings.js';
import { Settings } from '../../platform/settings/settings.js';
import { lockPort } from './port-lock.js';
import { Supervisor } from './supervisor.js';

/** Serves with several worker processes. This process only supervises them until it is signalled to stop. */
export async function supervise(all: AllSettings, stopSignals: readonly NodeJS.Signals[]): Promise<void> {
  const settings = all.of(Settings);
  const log = new Log(settings);
  redirectConsole(log);
  logUncaughtErrors(log);
  const supervisor = new Supervisor(settings.WORKERS, log);
  const lock = lockPort(settings);
  const stop = (signal: NodeJS.Signals) => {
    void lock.then((held) => held?.close());
    void supervisor.stop().then((code) => {
      log.event(`Stopped by ${signal}`, { workers: settings.WORKERS });
      process.exit(code);
    });
  };
  for (const signal of stopSignals) process.once(signal, stop).on(signal, () => undefined); // after a second signal, the workers are still awaited
  await lock;

  const { METRICS_PORT } = all.of(MetricsSettings);
  if (METRICS_PORT !== undefined) {
    const { AggregatorRegistry } = await import('prom-client');
    const workers = new AggregatorRegistry();
    await serveMetrics(METRICS_PORT, settings.HOST, () => workers.clusterMetrics(), log);
  }
  const failure = await supervisor.start();
  if (failure !== undefined) process.exit(failure); // the worker has logged why
}
