import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { StaticFile } from '../platform/http/static-file.js';
import { Settings } from '../platform/settings/settings.js';

const FOLDER = join(__dirname, '../..');

/** The rules of the API as text. */
export const DOCS_TEXT = new StaticFile('text/plain; charset=utf-8', () =>
  readFile(join(FOLDER, 'docs/api.md')),
);

/** The OpenAPI document. */
export function readDescription(): Promise<Buffer> {
  return readFile(join(FOLDER, 'openapi.json'));
}

/** The OpenAPI document of this installation. */
@Injectable()
export class ApiDescription {
  readonly file = new StaticFile('application/json; charset=utf-8', () => this.read());

  constructor(private readonly settings: Settings) {}

  /** The document in the source is about the server that sends it, at the root of its host. */
  private async read(): Promise<Buffer> {
    const description = await readDescription();
    const { PUBLIC_URL: url } = this.settings;
    if (url === undefined) return description;
    const document = JSON.parse(description.toString()) as object;
    return Buffer.from(JSON.stringify({ ...document, servers: [{ url }] }, null, 2));
  }
}
