import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Bytes that are shown of each end. */
const END = 200;

/** What a message shows of a body: of a long one the ends, the length and the digest. Other values are unchanged. */
export function excerpt(body: unknown): unknown {
  return isText(body) && Buffer.byteLength(body) > 2 * END ? endsOf(Buffer.from(body)) : body;
}

/** The same in quotes, with the name of a file that has all of a long body. */
export function keptExcerpt(body: string | Buffer): string {
  const bytes = Buffer.from(body);
  if (bytes.length <= 2 * END) return quoted(bytes);
  const file = join(tmpdir(), `sealpush-${digestOf(bytes)}`);
  writeFileSync(file, bytes);
  return `${endsOf(bytes)}, all of it in ${file}`;
}

function isText(body: unknown): body is string | Buffer {
  return typeof body === 'string' || Buffer.isBuffer(body);
}

function endsOf(bytes: Buffer): string {
  const [first, last] = [bytes.subarray(0, END), bytes.subarray(-END)].map(quoted);
  return `${first} … ${last} (${bytes.length} bytes, SHA-256 ${digestOf(bytes)})`;
}

function quoted(bytes: Buffer): string {
  return JSON.stringify(bytes.toString('latin1'));
}

function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
