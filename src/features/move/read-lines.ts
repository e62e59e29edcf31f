import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { MAX_LINE_BYTES } from './export-format.js';
import { Refusal } from '../../platform/errors/refusal.js';

const LINE_BREAK = 0x0a;

/**
 * The lines of a compressed file, each with its line break.
 * @throws Refusal when the file cannot be read or is not a whole compressed file
 */
export async function* readLines(path: string): AsyncGenerator<Buffer> {
  const text = pipeline(createReadStream(path), createGunzip(), () => undefined); // the loop gets its error
  let parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of text as AsyncIterable<Buffer>) {
      let from = 0;
      for (let at = chunk.indexOf(LINE_BREAK); at >= 0; at = chunk.indexOf(LINE_BREAK, from)) {
        const rest = chunk.subarray(from, at + 1);
        yield parts.length === 0 ? rest : Buffer.concat([...parts, rest]);
        parts = [];
        length = 0;
        from = at + 1;
      }
      if (from < chunk.length) parts.push(chunk.subarray(from));
      length += chunk.length - from;
      if (length > MAX_LINE_BYTES) throw damaged(path, 'a line is too long');
    }
  } catch (error) {
    throw explained(path, error as NodeJS.ErrnoException);
  }
  if (length > 0) throw damaged(path, 'its last line is not complete');
}

/** The file was not written completely, or was changed since. */
export function damaged(path: string, why: string): Refusal {
  return new Refusal(`${path} is damaged (${why}). Nothing of it can be imported: export or copy it again.`);
}

function explained(path: string, error: NodeJS.ErrnoException): Error {
  const { code = '', syscall, message } = error;
  if (syscall !== undefined) return new Refusal(`${path} cannot be read (${code}).`);
  if (message === 'incorrect header check') return new Refusal(`${path} is not an export of Sealpush.`);
  return code.startsWith('Z_') ? damaged(path, message) : error;
}
