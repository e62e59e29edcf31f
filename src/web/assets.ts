import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { Injectable } from '@nestjs/common';

const FOLDER = join(__dirname, '../../dist/web/client');

const CONTENT_TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

export interface Asset {
  content: Buffer;
  contentType: string;
}

/** What pages load: a few small files, kept in memory. */
@Injectable()
export class Assets {
  private readonly assets = new Map<string, Asset>();
  /** Changes with any of them, and is part of their address: so they may be kept for ever. */
  readonly version: string;

  constructor() {
    const hash = createHash('sha256');
    for (const name of readdirSync(FOLDER).sort()) {
      const contentType = CONTENT_TYPES[extname(name)];
      if (contentType === undefined) continue;
      const content = readFileSync(join(FOLDER, name));
      this.assets.set(name, { content, contentType });
      hash.update(name).update(content);
    }
    this.version = hash.digest('hex').slice(0, 12);
  }

  find(name: string): Asset | undefined {
    return this.assets.get(name);
  }
}
