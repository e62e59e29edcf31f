import type { ByteRange } from '../platform/sealing/chunk-streams.js';

/**
 * The range in a `Range` header, limited to the size of the content (RFC 9110, 14.1.2). It starts after its end when it
 * is outside of the content. Undefined for more than one range, and for a header that is not valid.
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
