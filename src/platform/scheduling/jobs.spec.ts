import { ScheduleModule, SchedulerRegistry } from '@nestjs/schedule';
import { Test } from '@nestjs/testing';
import type { TextKey } from '../../texts/text-parameters.js';
import { ContributionsModule } from '../contributions/contributions.module.js';
import { Leases } from '../database/leases.js';
import { Log } from '../logging/log.js';
import { Job, Jobs, ScheduledWork } from './jobs.js';

const RARELY = '0 0 0 29 2 *';
const TITLE: TextKey = 'overview.expiry';

class Cleaner {
  readonly cleaned: Date[] = [];
  isFailing = false;

  @Job({ name: 'cleaning', every: RARELY, title: TITLE })
  clean(now: Date): Promise<void> {
    if (this.isFailing) return Promise.reject(new Error('geheim'));
    this.cleaned.push(now);
    return Promise.resolve();
  }

  @Job({ name: 'alone', every: RARELY, isExclusive: true })
  cleanAlone(now: Date): Promise<void> {
    return this.clean(now);
  }
}

const NOW = new Date('2026-01-02T03:04:05Z');

const start = async (providers: (new () => unknown)[], runIfFree = jest.fn()) => {
  const module = await Test.createTestingModule({
    imports: [ContributionsModule, ScheduleModule.forRoot()],
    providers: [
      ...[Jobs, ScheduledWork, ...providers],
      { provide: Leases, useValue: { runIfFree } },
      { provide: Log, useValue: { failure: () => undefined } },
    ],
  }).compile();
  await module.init();
  return { jobs: module.get(Jobs), cleaner: module.get(Cleaner), module };
};

describe('Jobs', () => {
  it('are scheduled by their names, and get the time', async () => {
    const { jobs, cleaner, module } = await start([Cleaner]);

    expect([...module.get(SchedulerRegistry).getCronJobs().keys()]).toEqual(['cleaning', 'alone']);
    await jobs.run('cleaning', NOW);
    expect(cleaner.cleaned).toEqual([NOW]);
    await module.close();
  });

  it('with a title say when they last succeeded and last failed', async () => {
    const { jobs, cleaner, module } = await start([Cleaner]);

    expect(jobs.titled()).toEqual([{ title: TITLE }]);
    cleaner.isFailing = true;
    await jobs.run('cleaning');
    expect(jobs.titled()).toEqual([{ title: TITLE, failedAt: expect.any(Date) as Date }]);
    cleaner.isFailing = false;
    await jobs.run('cleaning');
    const [runs] = jobs.titled();
    expect(runs?.succeededAt?.getTime()).toBeGreaterThanOrEqual(runs?.failedAt?.getTime() ?? Infinity);
    await module.close();
  });

  it('that one process at a time may run hold a lease meanwhile', async () => {
    const free = jest.fn(async (_name: string, work: () => Promise<void>) => work());
    const { jobs, cleaner, module } = await start([Cleaner], free);

    await jobs.run('alone', NOW);
    expect(free).toHaveBeenCalledWith('alone', expect.any(Function));
    expect(cleaner.cleaned).toEqual([NOW]);
    free.mockImplementation(() => Promise.resolve());
    await jobs.run('alone', NOW);
    expect(cleaner.cleaned).toHaveLength(1);
    await module.close();
  });

  it('cannot have the same name', async () => {
    class Other extends Cleaner {}
    await expect(start([Cleaner, Other])).rejects.toThrow(
      'Cleaner.clean and Other.clean have decorators with the same name, cleaning.',
    );
  });
});
