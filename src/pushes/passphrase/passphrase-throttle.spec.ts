import { setImmediate } from 'node:timers/promises';
import { AttemptQueues, PASSPHRASE_LIMITS } from './passphrase-throttle.js';

const { perMinute } = PASSPHRASE_LIMITS;
const [MAX_WAITING, MAX_WAITING_IN_TOTAL] = [300, 1000];
const IP = '192.0.2.1';

describe('Attempts at one push from one network', () => {
  let queues: AttemptQueues;
  let begun: boolean[];
  let release: (value?: unknown) => void;
  let released: Promise<unknown>;

  beforeEach(() => {
    queues = new AttemptQueues();
    begun = [];
    ({ promise: released, resolve: release } = Promise.withResolvers<unknown>());
  });

  const run = (pushId = 'push', ip = IP) =>
    queues.runAttempt(pushId, ip, async (hasWaited) => {
      begun.push(hasWaited);
      await released;
    });
  const runAll = (count: number, pushId?: string) => Array.from({ length: count }, () => run(pushId));

  it('run as many at a time as may be wrong in a minute; others wait, and know it', async () => {
    const all = runAll(perMinute + 1);
    while (begun.length < perMinute) await setImmediate();
    await setImmediate();
    expect(begun).toEqual(Array<boolean>(perMinute).fill(false));

    release();
    await Promise.all(all);
    expect(begun.at(-1)).toBe(true);
  });

  it('are refused when too many wait, while those from another network are not', async () => {
    const all = runAll(perMinute + MAX_WAITING);
    await expect(run()).rejects.toMatchObject({ limit: 'attempts', retryAfterSeconds: 1 });
    const other = run('push', '192.0.2.2');

    release();
    await Promise.all([...all, other]);
    await expect(run()).resolves.toBeUndefined();
  });

  it('are refused when too many of all wait, unless they need not wait', async () => {
    const waiting = MAX_WAITING_IN_TOTAL / 4;
    const all = ['a', 'b', 'c', 'd'].flatMap((pushId) => runAll(perMinute + waiting, pushId));
    const free = run('e');
    await expect(run('a')).rejects.toThrow('busy');

    release();
    await Promise.all([...all, free]);
    await expect(run('a')).resolves.toBeUndefined();
  });
});
