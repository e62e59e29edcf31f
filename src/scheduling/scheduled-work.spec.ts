import type { Log } from '../logging/log.js';
import { ScheduledWork } from './scheduled-work.js';

describe('Scheduled work', () => {
  it('remembers when a job last succeeded and last failed', async () => {
    const work = new ScheduledWork({ failure: () => undefined } as unknown as Log);

    expect(work.runsOf('expiry')).toEqual({});
    await work.attempt('failed', () => Promise.reject(new Error('geheim')), 'expiry');
    expect(Object.keys(work.runsOf('expiry'))).toEqual(['failedAt']);
    await work.attempt('failed', () => Promise.resolve(), 'expiry');
    expect(Object.keys(work.runsOf('expiry')).sort()).toEqual(['failedAt', 'succeededAt']);
  });

  it('remembers nothing of other work', async () => {
    const work = new ScheduledWork({ failure: () => undefined } as unknown as Log);

    await work.attempt('failed', () => Promise.resolve());

    expect(work.runsOf('expiry')).toEqual({});
  });
});
