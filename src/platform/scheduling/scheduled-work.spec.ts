import type { Log } from '../logging/log.js';
import { ScheduledWork } from './jobs.js';

describe('Scheduled work', () => {
  describe('when the app closes', () => {
    beforeEach(() => jest.useFakeTimers());
    afterEach(() => jest.useRealTimers());

    it('is awaited, and abandoned after some seconds', async () => {
      const failures: string[] = [];
      const work = new ScheduledWork({ failure: (text: string) => failures.push(text) } as unknown as Log);
      let fail = (): void => undefined;
      const job = work.run('failed', () => new Promise((_, reject) => (fail = reject)));
      let isClosed = false;
      const closing = work.beforeApplicationShutdown().then(() => (isClosed = true));

      await jest.advanceTimersByTimeAsync(4000);
      expect(isClosed).toBe(false);
      await jest.advanceTimersByTimeAsync(2000);
      await closing;
      fail();
      await job;
      expect(failures).toEqual([]);
    });
  });
});
