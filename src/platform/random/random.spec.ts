import { validate, version } from 'uuid';
import { secureRandom, newId } from './random.js';

describe('secureRandom', () => {
  it('returns the requested number of bytes, and never the same ones', () => {
    const given = Array.from({ length: 5000 }, (_, i) => secureRandom(12 + (i % 21)));

    expect(given.map(({ length }) => length)).toEqual(given.map((_, i) => 12 + (i % 21)));
    expect(new Set(given.map((bytes) => bytes.toString('hex'))).size).toBe(given.length);
  });

  it('returns no erased bytes where one fetched pool ends and the next begins', () => {
    const drawn = Buffer.concat(Array.from({ length: 20_000 }, () => secureRandom(16)));
    const zeros = drawn.filter((byte) => byte === 0).length;

    expect(zeros / drawn.length).toBeCloseTo(1 / 256, 3);
  });

  it('returns bytes that are not shared with the pool', () => {
    const mine = secureRandom(32);
    const copy = Buffer.from(mine);
    secureRandom(8192);
    secureRandom(8192);

    expect(mine).toEqual(copy);
    expect(secureRandom(0)).toHaveLength(0);
    expect(() => secureRandom(8193)).toThrow(RangeError);
  });
});

const range = (count: number) => Array.from({ length: count }, (_, index) => index);
const timeOf = (id: string) => parseInt(id.replace('-', '').slice(0, 12), 16);

describe('New ids', () => {
  it('are UUIDs of version 7 that begin with the time', () => {
    const before = Date.now();
    const id = newId();

    expect(validate(id) && version(id)).toBe(7);
    expect(timeOf(id)).toBeGreaterThanOrEqual(before);
    expect(timeOf(id)).toBeLessThanOrEqual(Date.now());
  });

  it('sort in the order of generation, however many are generated in a millisecond', () => {
    const now = Date.now();
    const ids = range(10_000).map(() => newId(now));

    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids.map((id) => id.slice(-12))).size).toBe(ids.length);
  });

  it('sort after earlier ones when the clock is set back', () => {
    const before = newId();

    expect(newId(Date.now() - 60_000) > before).toBe(true);
  });
});
