import { sizeIn } from './size.js';

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
