// First, because a Node.js that is too old cannot even load the other imports.
import './start/node-version.js';
import './start/fit-heap.js';
import './start/umask.js';
// Before the slow imports, so that the process can be stopped while they load.
import { stopExitingEarly } from './start/early-signals.js';
import 'reflect-metadata';
import cluster from 'node:cluster';
import { explainStartError } from './platform/settings/explain-start-error.js';
import { allCurrentSettings, currentFaults, currentWorkers } from './platform/settings/current-settings.js';
import { loadModules } from './start/load-modules.js';
import { STOP_SIGNALS } from './start/stop-signals.js';
import { supervise } from './features/workers/supervise.js';

async function main(): Promise<void> {
  if (cluster.isPrimary && currentWorkers() > 1 && (await areSettingsRight())) {
    const supervision = supervise(allCurrentSettings(), STOP_SIGNALS); // handles signals from its first line on
    stopExitingEarly();
    await supervision;
  } else {
    const { serve } = await import('./serve.js'); // loads the app, which a supervisor does not use
    await serve();
  }
}

/** Wrong ones are reported by the service, which has more rules. Modules declare settings, and texts that a setting has. */
async function areSettingsRight(): Promise<boolean> {
  await loadModules();
  return currentFaults().length === 0;
}

main().catch((error: unknown) => {
  process.stderr.write(`sealpush: ${explainStartError(error)}\n`);
  process.exit(1);
});
