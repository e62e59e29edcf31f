import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../settings/units.js';
import { attemptWait, ClientAttempt } from './client-attempt.js';

const LIMITS = { perMinute: 5, perHour: 20, byAllPerHour: 100 };

const NOW = new Date('2026-01-01T12:00:00.000Z');

/** How long an address waits whose failures have these ages, the latest first. */
function wait(ages: number[], byAll = ages.length, factor = 1): number {
  const times = ages.map((age) => new Date(NOW.getTime() - age));
  return attemptWait(LIMITS, [{ times, factor }], byAll, NOW);
}

/** `count` failures spread over the last hour, none of them in the last minute. */
function spread(count: number): number[] {
  return Array.from({ length: count }, (_, i) => 2 * MINUTE_MS + i * MINUTE_MS);
}

describe('After wrong attempts an address', () => {
  it('may try when it has never failed', () => {
    expect(wait([])).toBe(0);
  });

  it('may try when it has failed four times in the last minute', () => {
    expect(wait([1, 2, 3, 4])).toBe(0);
  });

  it('waits until the first of five failures is a minute old', () => {
    expect(wait([0, 0, 0, 0, 0])).toBe(MINUTE_MS);
    expect(wait([0, 0, 0, 0, MINUTE_MS - 1])).toBe(1);
    expect(wait([0, 0, 0, 0, MINUTE_MS])).toBe(0);
  });

  it('waits no longer than a window when the clock was ahead as it failed (M7)', () => {
    const month = 30 * 24 * HOUR_MS;
    expect(wait(Array<number>(5).fill(-month))).toBe(MINUTE_MS);
    expect(wait(Array<number>(20).fill(-month))).toBe(HOUR_MS);
    expect(wait([-1, 0, 0, 0, MINUTE_MS - 1])).toBe(1);
  });

  it('is limited by only its last five failures in the rule for a minute', () => {
    expect(
      wait([1 * SECOND_MS, 2 * SECOND_MS, 3 * SECOND_MS, 4 * SECOND_MS, 20 * SECOND_MS, 50 * SECOND_MS]),
    ).toBe(40 * SECOND_MS);
  });

  it('waits until the first of twenty failures is an hour old', () => {
    expect(wait(spread(19))).toBe(0);
    expect(wait(spread(20))).toBe(HOUR_MS - 21 * MINUTE_MS);
  });

  it('waits for the longer of the two rules', () => {
    expect(wait([...Array<number>(5).fill(0), ...spread(15)])).toBe(HOUR_MS - 16 * MINUTE_MS);
  });

  it('waits for an hour after its last failure when all addresses together have a hundred failures (B4)', () => {
    expect(wait([2 * MINUTE_MS], 99)).toBe(0);
    expect(wait([2 * MINUTE_MS], 100)).toBe(58 * MINUTE_MS);
    expect(wait([HOUR_MS], 100)).toBe(0);
  });

  it('waits when its wider network has ten times as many failures (L11)', () => {
    expect(wait(Array<number>(49).fill(0), 49, 10)).toBe(0);
    expect(wait(Array<number>(50).fill(0), 50, 10)).toBe(MINUTE_MS);
    expect(wait(Array<number>(200).fill(2 * MINUTE_MS), 99, 10)).toBe(58 * MINUTE_MS);
  });

  it('may try when it has not failed itself, however often others have (B4)', () => {
    expect(wait([], 100)).toBe(0);
    expect(wait([], 1_000_000)).toBe(0);
  });
});

it('Attempts are deleted once they no longer make any client wait', () => {
  const forgotten = ClientAttempt.cutoff(NOW);

  expect(forgotten).toEqual(new Date('2026-01-01T11:00:00.000Z'));
  expect(attemptWait(LIMITS, [{ times: Array<Date>(20).fill(forgotten), factor: 1 }], 100, NOW)).toBe(0);
});
