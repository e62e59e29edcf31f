// The whole service, whose schedule runs when the parent process asks for it and not by the clock.
import 'reflect-metadata';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { NestFactory } from '@nestjs/core';
import { SchedulerRegistry } from '@nestjs/schedule';
import { AppModule } from '../dist/app.module.js';
import { APP_OPTIONS, configureApp } from '../dist/start/configure-app.js';
import { UnitOfWork } from '../dist/platform/database/transactions/unit-of-work.js';
import { PostgresUnitOfWork } from '../dist/platform/database/postgres/postgres-unit-of-work.js';
import { InstanceAudit } from '../dist/platform/instance-audit/instance-audit.service.js';
import { Jobs } from '../dist/platform/scheduling/jobs.js';
import { TotalsService } from '../dist/features/admin/overview/totals.service.js';
import { AuditChainService } from '../dist/pushes/audit-log/audit-chain.service.js';
import { ExpiryService } from '../dist/pushes/expiry/expiry.service.js';

const LONGEST_TIMER_MS = 2 ** 31 - 1;
const HOUR_MS = 60 * 60 * 1000; // later than the totals of the page that showed them

const app = configureApp(await NestFactory.create(AppModule, APP_OPTIONS));
await app.listen(0, '127.0.0.1');
for (const job of app.get(SchedulerRegistry).getCronJobs().values()) job.stop();
const durations = timeUnits(app.get(UnitOfWork));
const loop = monitorEventLoopDelay({ resolution: 1 });
loop.enable();
const commits = countCommits(app.get(UnitOfWork));
console.log(JSON.stringify({ address: await app.getUrl() }));

const acts = {
  expireOverdue: () => app.get(ExpiryService).expireOverdue(),
  purge: () => app.get(ExpiryService).purge(),
  chainNewEntries: () => app.get(AuditChainService).chainNewEntries(),
  deleteEndedSessions: () => app.get(Jobs).run('auth cleanup'),
  sendDue: () => app.get(Jobs).run('outbox'),
  deleteEndedMessages: () => app.get(Jobs).run('ended messages'),
  deleteOldEntries: () => app.get(InstanceAudit).deleteOld(),
  countTotals: () => app.get(TotalsService).current(new Date(Date.now() + HOUR_MS), LONGEST_TIMER_MS),
  /** The parent process does something itself. */
  watch: () => undefined,
};

process.on('message', async (act) => {
  if (act === 'commits') return process.send(commits);
  if (!Object.hasOwn(acts, act)) return; // profile-agent.mjs answers

  durations.length = 0;
  if (act !== 'watch') loop.reset();
  const startedAt = performance.now();
  const result = await acts[act]();
  const seconds = (performance.now() - startedAt) / 1000;
  durations.sort((a, b) => a - b);
  process.send({
    ...(typeof result === 'number' && { count: result }),
    seconds,
    unitP99: durations[Math.floor(durations.length * 0.99)] ?? 0,
    unitMax: durations.at(-1) ?? 0,
    loopMax: loop.max / 1e6,
  });
  loop.reset();
});

/** How long each unit of work has the database for itself, in milliseconds. */
function timeUnits(unitOfWork) {
  const durations = [];
  const run = unitOfWork.run.bind(unitOfWork);
  unitOfWork.run = (work) =>
    run(async (manager) => {
      const startedAt = performance.now();
      try {
        return await work(manager);
      } finally {
        durations.push(performance.now() - startedAt);
      }
    });
  return durations;
}

/**
 * How many transactions there were so far and how long they took, in milliseconds. On SQLite they are synchronous: then
 * also for how long the thread was not running meanwhile, because it waited for the disk.
 */
function countCommits(unitOfWork) {
  const commits = { count: 0, ms: 0, waitMs: 0 };
  const { commitBatch, commitTogether, transaction } = unitOfWork; // the first is SQLite's, the others those of servers
  const timed = (work) => async (argument) => {
    const startedAt = performance.now();
    const result = await work.call(unitOfWork, argument);
    commits.count++;
    commits.ms += performance.now() - startedAt;
    return result;
  };
  unitOfWork.commitBatch = (batch) => {
    const [startedAt, cpuAt] = [performance.now(), process.threadCpuUsage()];
    commitBatch.call(unitOfWork, batch);
    const { user, system } = process.threadCpuUsage(cpuAt);
    const ms = performance.now() - startedAt;
    commits.count++;
    commits.ms += ms;
    commits.waitMs += Math.max(0, ms - (user + system) / 1000);
  };
  unitOfWork.transaction = timed(transaction);
  if (unitOfWork instanceof PostgresUnitOfWork) unitOfWork.commitTogether = timed(commitTogether); // without the former
  return commits;
}
