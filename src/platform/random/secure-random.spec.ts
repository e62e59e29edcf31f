import { secureRandom } from './secure-random.js';

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
