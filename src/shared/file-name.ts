/** Code points of a name. */
const MAX_NAME = 255;
/** What tells programs the type of a file, also of a compressed archive. */
const EXTENSION = /(?:\.tar)?\.[^.\s]{1,15}$/iu;
/** Only this much of the end of a name with its folders is processed. */
const MAX_CODE_UNITS = 4096;

/**
 * A file's name without the folders and control characters that some clients, and attackers, send. Also without format
 * characters: some reverse the order of letters, so that the file seems to have another extension.
 */
export function cleanFileName(name: string): string {
  const base = name.slice(-MAX_CODE_UNITS).split(/[/\\]/).at(-1) ?? '';
  const clean = shortened(
    base
      .toWellFormed()
      .replace(/[\p{Cc}\p{Cf}]/gu, '')
      .trim(),
  );
  return /^\.*$/.test(clean) ? 'file' : clean;
}

/** A long name loses characters before its extension. */
function shortened(name: string): string {
  const characters = Array.from(name);
  if (characters.length <= MAX_NAME) return name;
  const extension = EXTENSION.exec(name)?.[0] ?? '';
  return (
    characters
      .slice(0, MAX_NAME - Array.from(extension).length)
      .join('')
      .trim() + extension
  );
}

/** The declared media type if it is valid, otherwise `application/octet-stream`. */
export function cleanContentType(type: string | undefined): string {
  const isMediaType =
    type !== undefined && type.length <= 255 && /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(;[\x20-\x7e]*)?$/.test(type);
  return isMediaType ? type : 'application/octet-stream';
}
