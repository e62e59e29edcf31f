import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Parse } from './setting.js';

const MOST_BYTES = 100_000;
const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** The start of an SVG file: what may stand before the element, then the element. */
const SVG =
  /^\uFEFF?\s*(<\?xml[^>]*>\s*)?(<!--[^]*?-->\s*)*(<!DOCTYPE\s+svg[^>]*>\s*)?(<!--[^]*?-->\s*)*<svg[\s>]/i;

export interface Logo {
  extension: 'svg' | 'png';
  content: Buffer;
}

/** An image file; relative paths start at the working directory of the process. */
export const logo: Parse = (path): Logo => {
  const content = contentOf(resolve(path));
  if (content.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) return { extension: 'png', content };
  if (SVG.test(content.toString())) return { extension: 'svg', content };
  throw new Error('must be the path of an SVG or PNG');
};

function contentOf(path: string): Buffer {
  try {
    if (statSync(path).size <= MOST_BYTES) return readFileSync(path);
  } catch (error) {
    throw new Error(`its file cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`, {
      cause: error,
    });
  }
  throw new Error('must be a file of at most 100 kB');
}
