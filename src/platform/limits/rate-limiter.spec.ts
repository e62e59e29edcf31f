import { growthOfTime, LINEAR } from '../../../test/support/growth-of-time.js';
import { MemoryRateLimiter } from './rate-limiter.js';

const MINUTE = 60_000;
const LIMIT = 3;

describe('A rate limiter in memory', () => {
  /** How many of these requests at one time are allowed. */
  const admitted = (limiter: MemoryRateLimiter, key: string, now: number, requests = 3) =>
    Array.from({ length: requests }, () => limiter.hit(key, LIMIT, now)).filter((wait) => wait === 0).length;

  it('allows a number of requests in a window, which begins with the first', () => {
    const limiter = new MemoryRateLimiter(MINUTE);

    for (const now of [100, 200, 59_000]) expect(limiter.hit('a', LIMIT, now)).toBe(0);
    expect(limiter.hit('a', LIMIT, 59_100)).toBe(1000);
    expect(limiter.hit('a', LIMIT, 60_099)).toBe(1);
    expect(limiter.hit('a', LIMIT, 60_100)).toBe(0);
  });

  it('counts each key separately', () => {
    const limiter = new MemoryRateLimiter(MINUTE);

    expect(admitted(limiter, 'a', 0, 10)).toBe(3);
    expect(admitted(limiter, 'a', 1)).toBe(0);
    expect(admitted(limiter, 'b', 1)).toBe(3);
  });

  it('forgets keys some time after their window has ended (I9, H7)', () => {
    const limiter = new MemoryRateLimiter(MINUTE);
    for (let i = 0; i < 1000; i++) limiter.hit(`key ${i}`, LIMIT, i);
    limiter.hit('late', LIMIT, MINUTE);
    limiter.hit('later', LIMIT, 2 * MINUTE);

    expect(limiter.size).toBe(2);
  });

  it('forgets no key within its window', () => {
    const limiter = new MemoryRateLimiter(MINUTE);
    limiter.hit('first', LIMIT, 0);
    for (let now = 0; now < MINUTE; now += 100) limiter.hit(`key ${now}`, LIMIT, now);
    limiter.hit('last', LIMIT, MINUTE - 1);

    expect(admitted(limiter, 'first', MINUTE - 1)).toBe(2);
    expect(admitted(limiter, 'last', 2 * MINUTE - 2)).toBe(2);
  });

  it('forgets the oldest keys when there are too many (I9)', () => {
    const limiter = new MemoryRateLimiter(MINUTE, 100);
    for (let i = 0; i < 300; i++) limiter.hit(`key ${i}`, LIMIT, 0);

    expect(limiter.size).toBeLessThanOrEqual(100);
    expect(admitted(limiter, 'key 299', 1)).toBe(2);
    expect(admitted(limiter, 'key 0', 1)).toBe(3);
  });

  it('needs little memory for 200,000 keys, and time linear in their count (I9)', async () => {
    const filled = (keys: number, max?: number) => {
      const limiter = new MemoryRateLimiter(MINUTE, max);
      for (let i = 0; i < keys; i++) limiter.hit(`2001:db8:0:${i.toString(16)}::/64`, LIMIT, 0);
      return limiter;
    };

    expect(filled(200_000).size).toBeLessThanOrEqual(100_000);
    const fill = (keys: number) => filled(keys, 1000);
    expect(await growthOfTime(40_000, (keys) => keys, fill)).toBeLessThan(LINEAR);
  });
});
