import { sizeIn } from './size.js';

describe('A size in words', () => {
  it.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [1000, '1,000 bytes'],
    [1023, '1,023 bytes'],
    [1024, '1 KiB'],
    [2300, '2.2 KiB'],
    [1_000_000, '976.5 KiB'],
    [1_048_575, '1,023.9 KiB'],
    [104_857_599, '99.9 MiB'],
    [104_857_600, '100 MiB'],
    [104_857_601, '100 MiB'],
    [1_610_612_736, '1.5 GiB'],
    [5_368_709_120, '5 GiB'],
    [1_099_511_627_776, '1 TiB'],
    [2 ** 50, '1,024 TiB'],
  ])('of %d bytes is %s, never more than it is', (bytes, size) => {
    expect(sizeIn('en', bytes)).toBe(size);
  });

  it('is in the language of the reader', () => {
    expect(sizeIn('de', 27_262_976)).toBe('26 MiB');
    expect(sizeIn('de', 27_472_691)).toBe('26,1 MiB');
  });
});
