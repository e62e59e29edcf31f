import { FloodCounts } from './flood-counts.js';

const MINUTE = 60_000;
const LIMIT = 3;

describe('Counts of a flood', () => {
  const blocked = (counts: FloodCounts, address: string, now: number) =>
    counts.count(address, MINUTE, LIMIT, now).isBlocked;

  it('let so many pass in a window, which begins with the first', () => {
    const counts = new FloodCounts();

    for (const now of [100, 200, 59_000]) expect(blocked(counts, 'a', now)).toBe(false);
    expect(counts.count('a', MINUTE, LIMIT, 59_100)).toEqual({
      totalHits: 4,
      timeToExpire: 1,
      isBlocked: true,
      timeToBlockExpire: 1,
    });
    expect(blocked(counts, 'a', 60_099)).toBe(true);
    expect(blocked(counts, 'a', 60_100)).toBe(false);
  });

  it('are of one address each', () => {
    const counts = new FloodCounts();
    for (let i = 0; i < 10; i++) counts.count('a', MINUTE, LIMIT, 0);

    expect(blocked(counts, 'a', 1)).toBe(true);
    expect(blocked(counts, 'b', 1)).toBe(false);
  });

  it('forget addresses some time after their window is over (I9, H7)', () => {
    const counts = new FloodCounts();
    for (let i = 0; i < 1000; i++) counts.count(`address ${i}`, MINUTE, LIMIT, i);
    counts.count('late', MINUTE, LIMIT, MINUTE);
    counts.count('later', MINUTE, LIMIT, 2 * MINUTE);

    expect(counts.size).toBe(2);
  });

  it('forget no address within its window', () => {
    const counts = new FloodCounts();
    counts.count('first', MINUTE, LIMIT, 0);
    for (let now = 0; now < MINUTE; now += 100) counts.count(`address ${now}`, MINUTE, LIMIT, now);
    counts.count('last', MINUTE, LIMIT, MINUTE - 1);

    expect(counts.count('first', MINUTE, LIMIT, MINUTE - 1).totalHits).toBe(2);
    expect(counts.count('last', MINUTE, LIMIT, 2 * MINUTE - 2).totalHits).toBe(2);
  });

  it('forget the oldest when there are too many (I9)', () => {
    const counts = new FloodCounts(100);
    for (let i = 0; i < 300; i++) counts.count(`address ${i}`, MINUTE, LIMIT, 0);

    expect(counts.size).toBeLessThanOrEqual(100);
    expect(counts.count('address 299', MINUTE, LIMIT, 1).totalHits).toBe(2);
    expect(counts.count('address 0', MINUTE, LIMIT, 1).totalHits).toBe(1);
  });

  it('of 200,000 addresses take little memory and time (I9)', () => {
    const counts = new FloodCounts();
    const startedAt = performance.now();
    for (let i = 0; i < 200_000; i++) counts.count(`2001:db8:0:${i.toString(16)}::/64`, MINUTE, LIMIT, 0);

    expect(performance.now() - startedAt).toBeLessThan(4000);
    expect(counts.size).toBeLessThanOrEqual(100_000);
  });
});
