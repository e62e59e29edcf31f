import type { Writable } from 'node:stream';

/** Headers of a part of a form by their names in lower case, each with its values in order. */
export type PartHeaders = Record<string, string[] | undefined>;

interface HeaderParser {
  cb: (headers: PartHeaders) => void;
}

/**
 * Shows the headers of each part of a form before the parser acts on them. busboy hands on neither all of a declared
 * type nor anything of a part that it drops, and has no hook for this: its parser of headers is an undocumented
 * property. Whoever counts what was shown and what was parsed notices when it is no longer there.
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
