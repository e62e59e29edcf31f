import cluster from 'node:cluster';
import { performance } from 'node:perf_hooks';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { appWith } from './app.module.js';
import { databaseWarnings } from './platform/database/engines/engines.js';
import { Log } from './platform/logging/log.js';
import { UnusedMemory } from './platform/http/unused-memory.js';
import { mailWarning } from './platform/mail/smtp-options.js';
import { redirectConsole, logUncaughtErrors } from './platform/logging/process-output.js';
import { currentSettings, describeIgnoredSettings } from './platform/settings/current-settings.js';
import { MemoryBudget } from './platform/settings/memory-budget.js';
import { Settings } from './platform/settings/settings.js';
import { APP_OPTIONS, configureApp } from './start/configure-app.js';
import { stopExitingEarly } from './start/early-signals.js';
import { listen } from './start/listen.js';
import { loadModules } from './start/load-modules.js';
import { logStart, readStartFacts } from './start/log-start.js';
import { STOP_SIGNALS } from './start/stop-signals.js';

/** With what the log may take at the exit, less than the ten seconds after which containers are killed. */
const MAX_STOP_MS = 9000;
/** How long after the start it is checked whether the process is idle. */
const IDLE_AFTER_MS = 5000;
/** The part of that time in which an idle process computes, at most. */
const IDLE_UTILIZATION = 0.1;

/** Starts the service in this process. */
export async function serve(): Promise<void> {
  const modules = await loadModules();
  currentSettings(); // wrong ones are reported before anything is created
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
  freeMemoryOfStart(app.get(UnusedMemory));
}

async function warningsAtStart(app: NestExpressApplication): Promise<(string | undefined)[]> {
  const settings = app.get(Settings);
  const ofServer = await databaseWarnings(settings);
  return [describeIgnoredSettings(), mailWarning(settings), app.get(MemoryBudget).shortage, ...ofServer];
}

function isFirstOfWorkers(): boolean {
  return cluster.worker === undefined || cluster.worker.id === 1;
}

/** Frees what only the start needed, some 40 MB, unless requests would have to wait for that. */
function freeMemoryOfStart(memory: UnusedMemory): void {
  const atStart = performance.eventLoopUtilization();
  setTimeout(() => {
    const { utilization } = performance.eventLoopUtilization(atStart);
    if (utilization < IDLE_UTILIZATION) memory.collect();
  }, IDLE_AFTER_MS).unref();
}

/** A process that was signalled to stop must not wait for, say, a database that no longer responds. */
function endInTime(): void {
  for (const signal of STOP_SIGNALS) {
    process.once(signal, () => setTimeout(() => process.exit(1), MAX_STOP_MS).unref());
  }
}
