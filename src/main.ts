// First, because a Node.js that is too old cannot even load the other imports.
import './start/node-version.js';
import './start/fit-heap.js';
import './start/umask.js';
// Before the slow imports, so that the process can be stopped while they load.
import { stopExitingEarly } from './start/early-signals.js';
import 'reflect-metadata';
import cluster from 'node:cluster';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { appWith } from './app.module.js';
import { APP_OPTIONS, configureApp } from './start/configure-app.js';
import type { NestModuleDefinition } from './custom/custom-modules.js';
import { databaseWarnings } from './platform/database/engine.js';
import { explainStartError } from './platform/settings/explain-start-error.js';
import { listen } from './start/listen.js';
import { loadModules } from './start/load-modules.js';
import { logStart, readStartFacts } from './start/log-start.js';
import { Log } from './platform/logging/log.js';
import { logUncaughtErrors } from './platform/logging/log-uncaught-errors.js';
import { mailWarning } from './platform/mail/smtp-options.js';
import { redirectConsole } from './platform/logging/redirect-console.js';
import { currentSettings, describeIgnoredSettings } from './platform/settings/current-settings.js';
import { MemoryBudget } from './platform/settings/memory-budget.js';
import { Settings } from './platform/settings/settings.js';
import { STOP_SIGNALS } from './start/stop-signals.js';
import { supervise } from './features/workers/supervise.js';

/** With what the log may take at the exit, less than the ten seconds after which containers are killed. */
const MAX_STOP_MS = 9000;

async function main(): Promise<void> {
  const modules = await loadModules();
  const settings = currentSettings();
  if (cluster.isPrimary && settings.WORKERS > 1) {
    const supervision = supervise(settings, STOP_SIGNALS); // handles signals from its first line on
    stopExitingEarly();
    await supervision;
  } else await serve(modules);
}

async function serve(modules: NestModuleDefinition[]): Promise<void> {
  const startedAt = new Date();
  const app = configureApp(await NestFactory.create<NestExpressApplication>(appWith(modules), APP_OPTIONS));
  redirectConsole(app.get(Log));
  if (isFirstOfWorkers())
    for (const warning of await warningsAtStart(app)) if (warning !== undefined) app.get(Log).warn(warning);
  logUncaughtErrors(app.get(Log));
  endInTime();
  stopExitingEarly();
  await app.init();
  const facts = isFirstOfWorkers() ? await readStartFacts(app, startedAt) : undefined;
  await listen(app, isFirstOfWorkers());
  if (facts) await logStart(app, facts);
}

async function warningsAtStart(app: NestExpressApplication): Promise<(string | undefined)[]> {
  const settings = app.get(Settings);
  const ofServer = await databaseWarnings(settings);
  return [describeIgnoredSettings(), mailWarning(settings), app.get(MemoryBudget).shortage, ...ofServer];
}

function isFirstOfWorkers(): boolean {
  return cluster.worker === undefined || cluster.worker.id === 1;
}

/** A process that was signalled to stop must not wait for, say, a database that no longer responds. */
function endInTime(): void {
  for (const signal of STOP_SIGNALS) {
    process.once(signal, () => setTimeout(() => process.exit(1), MAX_STOP_MS).unref());
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`sealpush: ${explainStartError(error)}\n`);
  process.exit(1);
});
