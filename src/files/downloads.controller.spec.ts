import { parseRange } from './downloads.controller.js';

describe('A Range header', () => {
  it.each([
    ['bytes=0-9', { start: 0, end: 9 }],
    ['bytes=5-', { start: 5, end: 99 }],
    ['bytes=99-200', { start: 99, end: 99 }],
    ['bytes=-10', { start: 90, end: 99 }],
    ['bytes=-100', { start: 0, end: 99 }],
    ['bytes=-999999', { start: 0, end: 99 }],
    ['Bytes=0-0', { start: 0, end: 0 }],
  ])('selects a part: %s', (header, range) => {
    expect(parseRange(header, 100)).toEqual(range);
  });

  it.each(['bytes=100-', 'bytes=100-200', 'bytes=-0'])(
    'selects a part outside of the content: %s',
    (header) => {
      const range = parseRange(header, 100);

      expect(range && range.start > range.end).toBe(true);
    },
  );

  it.each([
    '',
    'bytes',
    'bytes=',
    'bytes=-',
    'bytes=9-5',
    'bytes=0-1,3-4',
    'lines=0-9',
    'bytes=1.5-2',
    'bytes=a-b',
  ])('is ignored when it is invalid or has several ranges: %j', (header) => {
    expect(parseRange(header, 100)).toBeUndefined();
  });

  it('selects nothing of an empty file', () => {
    for (const header of ['bytes=0-', 'bytes=0-0', 'bytes=-5']) {
      const range = parseRange(header, 0);
      expect(range && range.start > range.end).toBe(true);
    }
  });
});
