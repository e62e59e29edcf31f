import { makeZip } from 'client-zip';
import { archiveNames } from '../../shared/archive-names.js';

export interface ArchiveEntry {
  /** As the sender wrote it. */
  name: string;
  size: number;
  /** Undefined if it and all after it cannot be read any more: then the archive ends before it. */
  open: () => Promise<ReadableStream<Uint8Array> | undefined>;
}

/** A zip archive that is written while it is read. A file is opened when all before it have been read. */
export function zipOf(entries: readonly ArchiveEntry[]): ReadableStream<Uint8Array> {
  const names = archiveNames(entries.map(({ name }) => name));
  return makeZip(inputs(entries, names));
}

async function* inputs(entries: readonly ArchiveEntry[], names: string[]) {
  for (const [i, { size, open }] of entries.entries()) {
    const input = await open();
    if (!input) return;
    yield { name: names[i], size, input };
  }
}
