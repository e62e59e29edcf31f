import { limitIn, sizeIn } from './size.js';

describe('A size in words', () => {
  it.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [999, '999 bytes'],
    [1000, '1 kB'],
    [1024, '1 kB'],
    [2300, '2.3 kB'],
    [999_999, '999.9 kB'],
    [1_000_000, '1 MB'],
    [104_857_600, '104.8 MB'],
    [1_000_000_000, '1 GB'],
    [1_000_000_000_000, '1,000 GB'],
  ])('of %d bytes is %s, never more than it is', (bytes, size) => {
    expect(sizeIn('en', bytes)).toBe(size);
  });

  it('is in the language of the reader', () => {
    expect(sizeIn('de', 26_214_400)).toBe('26,2 MB');
  });
});

describe('A limit in words', () => {
  it.each([
    [104_857_600, '100 MiB'],
    [262_144_000, '250 MiB'],
    [100_000_000, '100 MB'],
    [1_500_000, '1.5 MB'],
    [1024, '1 KiB'],
    [1000, '1 kB'],
    [400, '400 bytes'],
    [5_368_709_120, '5 GiB'],
    [1_099_511_627_776, '1 TiB'],
    [1_610_612_736, '1,536 MiB'],
    [104_857_601, '104.8 MB'],
  ])('of %d bytes is %s', (bytes, limit) => {
    expect(limitIn('en', bytes)).toBe(limit);
  });
});
