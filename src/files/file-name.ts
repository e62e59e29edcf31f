const LONGEST_NAME = 255;
/** Of a name with its folders, only so much of the end is looked at. */
const MOST_CODE_UNITS = 4096;

/**
 * A file's name without the folders and control characters that some clients, and attackers, send along. Nor is there
 * any format character in it: some turn the order of letters around, so that another ending seems to be the last.
 */
export function cleanFileName(name: string): string {
  const base = name.slice(-MOST_CODE_UNITS).split(/[/\\]/).at(-1) ?? '';
  const printable = Array.from(base.toWellFormed().replace(/[\p{Cc}\p{Cf}]/gu, '')).slice(0, LONGEST_NAME);
  const clean = printable.join('').trim();
  return /^\.*$/.test(clean) ? 'file' : clean;
}

/** A media type as declared when it is one, else that of any bytes. */
export function cleanContentType(type: string | undefined): string {
  const isMediaType =
    type !== undefined && type.length <= 255 && /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(;[\x20-\x7e]*)?$/.test(type);
  return isMediaType ? type : 'application/octet-stream';
}
