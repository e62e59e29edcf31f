import type { Writable } from 'node:stream';

/** Headers of a part of a form by lower-case name, each with its values in order. */
export type PartHeaders = Record<string, string[] | undefined>;

interface HeaderParser {
  cb: (headers: PartHeaders) => void;
}

/**
 * Calls `watch` with the headers of each part of a form before the parser uses them. busboy reports neither the full
 * Content-Type nor parts that it drops, and has no hook for this: its header parser is an undocumented property. A
 * caller that compares the number of calls with the number of parsed parts notices if the property is removed.
 */
export function watchPartHeaders(parser: Writable, watch: (headers: PartHeaders) => void): void {
  const watched = new WeakSet<HeaderParser>();
  let current: HeaderParser | null = null;
  Object.defineProperty(parser, '_hparser', {
    get: () => current,
    set: (next: HeaderParser | null) => {
      if (next && !watched.has(next)) {
        watched.add(next);
        const { cb } = next;
        next.cb = (headers) => {
          watch(headers);
          cb(headers);
        };
      }
      current = next;
    },
  });
}
