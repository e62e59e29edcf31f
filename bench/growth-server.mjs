// The whole service, whose schedule runs when the parent process asks for it and not by the clock.
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { SchedulerRegistry } from '@nestjs/schedule';
import { AppModule } from '../dist/app.module.js';
import { APP_OPTIONS, configureApp } from '../dist/configure-app.js';
import { UnitOfWork } from '../dist/database/transactions/unit-of-work.js';
import { ExpiryService } from '../dist/pushes/expiry/expiry.service.js';

const app = configureApp(await NestFactory.create(AppModule, APP_OPTIONS));
await app.listen(0, '127.0.0.1');
for (const job of app.get(SchedulerRegistry).getCronJobs().values()) job.stop();
const durations = timeUnits(app.get(UnitOfWork));
console.log(JSON.stringify({ address: await app.getUrl() }));

process.on('message', async (act) => {
  durations.length = 0;
  const startedAt = performance.now();
  const count = await app.get(ExpiryService)[act]();
  const seconds = (performance.now() - startedAt) / 1000;
  durations.sort((a, b) => a - b);
  process.send({
    count,
    seconds,
    unitP99: durations[Math.floor(durations.length * 0.99)],
    unitMax: durations.at(-1),
  });
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
