import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { StaticFile } from '../http/static-file.js';

const FOLDER = join(__dirname, '../../dist/web/client');

const CONTENT_TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The few small files that pages load, kept in memory. */
@Injectable()
export class Assets {
  private readonly assets = new Map<string, StaticFile>();
  /** Changes when any asset changes, and is part of their URLs, so browsers may cache them indefinitely. */
  readonly version: string;

  constructor() {
    const hash = createHash('sha256');
    for (const name of readdirSync(FOLDER).sort()) {
      const contentType = CONTENT_TYPES[extname(name)];
      if (contentType === undefined) continue;
      const content = readFileSync(join(FOLDER, name));
      this.assets.set(name, new StaticFile(contentType, () => Promise.resolve(content)));
      hash.update(name).update(content);
    }
    this.version = hash.digest('hex').slice(0, 12);
  }

  find(name: string): StaticFile | undefined {
    return this.assets.get(name);
  }
}
