import type { ByteRange } from '../sealing/chunk-streams.js';

/**
 * The range that a `Range` header asks for, cut to the size of what is there (RFC 9110, 14.1.2). It starts after its
 * end when nothing of it is there, and is undefined for what asks for more than one range, or is none.
 */
export function parseRange(header: string, size: number): ByteRange | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header.trim()) ?? [];
  if (first !== '') {
    const range = { start: Number(first), end: last === '' ? size - 1 : Number(last) };
    return range.start > range.end && last !== ''
      ? undefined
      : { ...range, end: Math.min(range.end, size - 1) };
  } else {
    return last === '' ? undefined : { start: size - Math.min(Number(last), size), end: size - 1 };
  }
}
