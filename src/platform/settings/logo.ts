import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Parser } from './setting.js';

const MAX_BYTES = 100_000;
const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** What may stand before the element of an SVG file, by how it begins and ends. */
const PROLOG = [
  ['<?', '?>'],
  ['<!--', '-->'],
  ['<!DOCTYPE svg', '>'],
] as const;

export interface Logo {
  extension: 'svg' | 'png';
  content: Buffer;
}

/** An image file; relative paths start at the working directory of the process. */
export const logo: Parser = (path): Logo => {
  const content = contentOf(resolve(path));
  if (content.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) return { extension: 'png', content };
  if (isSvg(content.toString())) return { extension: 'svg', content };
  throw new Error('must be the path of an SVG or PNG');
};

function contentOf(path: string): Buffer {
  try {
    if (statSync(path).size <= MAX_BYTES) return readFileSync(path);
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new Error(`its file ${path} cannot be read (${code})`, { cause: error });
  }
  throw new Error('must be a file of at most 100 kB');
}

/** Without one expression for it all, which would take long for a file of many comments. */
function isSvg(text: string): boolean {
  let rest = text.replace(/^\uFEFF/, '').trimStart();
  for (;;) {
    const [, end] = PROLOG.find(([start]) => rest.startsWith(start)) ?? [];
    if (end === undefined) return /^<svg[\s>/]/.test(rest);
    const at = rest.indexOf(end);
    if (at < 0) return false;
    rest = rest.slice(at + end.length).trimStart();
  }
}
