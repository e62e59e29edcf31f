import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { StaticFile } from '../../http/static-file.js';
import { Brand } from '../brand/brand.js';

const FOLDER = join(__dirname, '../../../dist/web/client');

const CONTENT_TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
};

/** The few small files that pages load, kept in memory. */
@Injectable()
export class Assets {
  private readonly assets = new Map<string, StaticFile>();
  /** Changes when any asset changes, and is part of their URLs, so browsers may cache them indefinitely. */
  readonly version: string;
  /** The digests of the scripts, as `scripts/bundle-pages.mjs` has written them. */
  private readonly digests = JSON.parse(readFileSync(join(FOLDER, 'integrity.json'), 'utf8')) as Record<
    string,
    string
  >;

  constructor(brand: Brand) {
    const hash = createHash('sha256');
    const ours = readdirSync(FOLDER).sort();
    const files = [
      ...ours.map((name) => [name, () => readFileSync(join(FOLDER, name))] as const),
      ...brand.files,
    ];
    for (const [name, read] of files) {
      const contentType = CONTENT_TYPES[extname(name)];
      if (contentType === undefined) continue;
      const content = read();
      this.assets.set(name, new StaticFile(contentType, () => Promise.resolve(content)));
      hash.update(name).update(content);
    }
    this.version = hash.digest('hex').slice(0, 12);
  }

  /** The attribute `integrity` of a script: browsers do not run it if it was changed. */
  integrityOf(name: string): string | undefined {
    return this.digests[name];
  }

  find(name: string): StaticFile | undefined {
    return this.assets.get(name);
  }
}
