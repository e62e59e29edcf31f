import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StaticFile } from '../platform/http/static-file.js';

const FOLDER = join(__dirname, '../..');

/** The rules of the API as text. */
export const DOCS_TEXT = new StaticFile('text/plain; charset=utf-8', () =>
  readFile(join(FOLDER, 'docs/api.md')),
);

/** The OpenAPI document. */
export function readDescription(): Promise<Buffer> {
  return readFile(join(FOLDER, 'openapi.json'));
}
