import { sizeAbove, sizeIn } from './size.js';

describe('A size in words', () => {
  it.each([
    [0, '0\u00a0bytes'],
    [1, '1\u00a0byte'],
    [1000, '1,000\u00a0bytes'],
    [1023, '1,023\u00a0bytes'],
    [1024, '1\u00a0kB'],
    [2300, '2.2\u00a0kB'],
    [1_000_000, '976.6\u00a0kB'],
    [1_048_500, '1,023.9\u00a0kB'],
    [1_048_575, '1\u00a0MB'],
    [1_048_576, '1\u00a0MB'],
    [104_857_600, '100\u00a0MB'],
    [1_610_612_736, '1.5\u00a0GB'],
    [5_368_709_120, '5\u00a0GB'],
    [1_099_511_627_776, '1\u00a0TB'],
    [2 ** 50, '1,024\u00a0TB'],
  ])('of %d bytes is %s', (bytes, size) => {
    expect(sizeIn('en', bytes)).toBe(size);
  });

  it.each([
    [1_000_000, 1_000_001, '976.7\u00a0kB'],
    [1_000_000, 1_048_576, '1\u00a0MB'],
    [104_857_600, 104_857_601, '100.1\u00a0MB'],
    [10, 11, '11\u00a0bytes'],
  ])('above a limit of %d bytes, of %d bytes is %s: more than the limit reads', (limit, bytes, size) => {
    expect(sizeAbove(limit, 'en', bytes)).toBe(size);
  });

  it('is in the language of the reader', () => {
    expect(sizeIn('de', 27_262_976)).toBe('26\u00a0MB');
    expect(sizeIn('de', 27_472_691)).toBe('26,2\u00a0MB');
  });
});
