import filenamify from 'filenamify/browser';
import { cleanFileName } from './file-name.js';

/** File systems allow 255 bytes; the remaining ones are for a number. */
const MAX_BYTES = 240;
/** The number of code units that have at most `MAX_BYTES` bytes in UTF-8, whatever the characters are. */
const MAX_CODE_UNITS = MAX_BYTES / 3;

/**
 * The names of files in an archive that is extracted on any system: without folders and what a system does not allow,
 * and distinct, also where upper and lower case are the same.
 */
export function archiveNames(names: string[]): string[] {
  const taken = new Set<string>();
  const nextNumber = new Map<string, number>();
  return names.map((sent) => {
    const name = portable(sent);
    let distinct = name;
    for (let number = nextNumber.get(key(name)) ?? 2; taken.has(key(distinct)); number++) {
      distinct = numbered(name, number);
      nextNumber.set(key(name), number + 1);
    }
    taken.add(key(distinct));
    return distinct;
  });
}

/** A name that every system accepts, of at most `MAX_BYTES` bytes. */
function portable(sent: string): string {
  const name = cleanFileName(sent);
  const candidates = [
    filenamify(name, { replacement: '_', maxLength: MAX_BYTES }),
    filenamify(name, { replacement: '_', maxLength: MAX_CODE_UNITS }),
  ];
  const short = filenamify(name.slice(0, MAX_CODE_UNITS).toWellFormed(), { replacement: '_' }); // with a very long extension
  return candidates.find((candidate) => new TextEncoder().encode(candidate).length <= MAX_BYTES) ?? short;
}

/** The same for names that some file systems do not distinguish. */
function key(name: string): string {
  return name.normalize('NFKC').toUpperCase();
}

function numbered(name: string, number: number): string {
  const dot = name.lastIndexOf('.');
  const end = dot > 0 ? dot : name.length;
  return `${name.slice(0, end)} (${number})${name.slice(end)}`;
}
