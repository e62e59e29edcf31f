const MAX_NAME = 255;
/** Only this much of the end of a name with its folders is processed. */
const MAX_CODE_UNITS = 4096;

/**
 * A file's name without the folders and control characters that some clients, and attackers, send. Also without format
 * characters: some reverse the order of letters, so that the file seems to have another extension.
 */
export function cleanFileName(name: string): string {
  const base = name.slice(-MAX_CODE_UNITS).split(/[/\\]/).at(-1) ?? '';
  const printable = Array.from(base.toWellFormed().replace(/[\p{Cc}\p{Cf}]/gu, '')).slice(0, MAX_NAME);
  const clean = printable.join('').trim();
  return /^\.*$/.test(clean) ? 'file' : clean;
}

/** The declared media type if it is valid, otherwise `application/octet-stream`. */
export function cleanContentType(type: string | undefined): string {
  const isMediaType =
    type !== undefined && type.length <= 255 && /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(;[\x20-\x7e]*)?$/.test(type);
  return isMediaType ? type : 'application/octet-stream';
}
