import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { Injectable, Controller, Get, NotFoundException, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { StaticFile } from '../../platform/http/static-file.js';
import { Brand } from '../brand/brand.js';
import { Public } from '../../auth/access.decorators.js';
import { ReadsNotLimited } from '../../platform/limits/rate-limit.guard.js';
import { OnGateway } from '../../platform/http/gateway.guard.js';
import { PublicUrl } from '../../platform/http/public-url.js';
import { TextsService } from '../../platform/i18n/texts.service.js';
import type { TextKey } from '../../texts/text-parameters.js';

const FOLDER = join(__dirname, '../../../dist/client');

const CONTENT_TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};

/** The few small files that pages load, kept in memory. */
@Injectable()
export class Assets {
  private readonly assets = new Map<string, StaticFile>();
  private readonly texts = new Map<string, readonly TextKey[]>();
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
      if (name.endsWith('.js')) this.texts.set(name, textsIn(content.toString()));
      hash.update(name).update(content);
    }
    this.version = hash.digest('hex').slice(0, 12);
  }

  /** The attribute `integrity` of a script: browsers do not run it if it was changed. */
  integrityOf(name: string): string | undefined {
    return this.digests[name];
  }

  /** The keys of the texts that a script shows. */
  textsOf(name: string): readonly TextKey[] {
    return this.texts.get(name) ?? [];
  }

  find(name: string): StaticFile | undefined {
    return this.assets.get(name);
  }
}

/** The keys in a bundle, where each is written as a whole. */
function textsIn(script: string): TextKey[] {
  const keys = [...script.matchAll(/(["'`])(script\.\w+)\1/g)].map(([, , key]) => key as TextKey);
  return [...new Set(keys)];
}

/** They are sent compressed, and browsers run no script that a proxy has changed. */
const A_YEAR = 'public, max-age=31536000, immutable, no-transform';
const A_DAY = 'public, max-age=86400, no-transform';

/** The texts of a script that is loaded when it is needed, such as `uploads.en.json`. */
const TEXTS_OF_SCRIPT = /^([\w-]+)\.([A-Za-z]{2}(?:-[A-Za-z]{2})?)\.json$/;

/** The policy of an image that a browser opens as a page: it runs no script and loads nothing else. */
const IMAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** The policy of the script of a worker, to which the policy of a page does not apply: it loads nothing. */
const SCRIPT_POLICY = "default-src 'none'";

@Controller()
@ReadsNotLimited()
@OnGateway()
export class AssetsController {
  constructor(
    private readonly assets: Assets,
    private readonly publicUrl: PublicUrl,
    private readonly texts: TextsService,
  ) {}

  /** Sends a stylesheet, a script, the texts of one, or an image. */
  @Get('assets/:version/:name')
  @Public()
  async send(
    @Param('version') version: string,
    @Param('name') name: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const [, script, language] = TEXTS_OF_SCRIPT.exec(name) ?? [];
    if (script !== undefined) {
      const keys = this.assets.textsOf(`${script}.js`);
      if (version === this.assets.version) response.set('Cache-Control', A_DAY);
      response.type('application/json').send(this.texts.inLanguageOf(language).scriptTexts(keys));
      return;
    }
    const file = this.fileOf(name, response);
    if (version === this.assets.version) response.set('Cache-Control', A_YEAR);
    await file.send(request, response);
  }

  /** Sends the icon to browsers that request it by its old name. */
  @Get('favicon.ico')
  @Public()
  sendIcon(@Req() request: Request, @Res() response: Response): Promise<void> {
    response.set('Cache-Control', A_DAY);
    return this.fileOf('favicon.svg', response).send(request, response);
  }

  /** Search engines may index the front page, but never a push. */
  @Get('robots.txt')
  @Public()
  sendRobots(@Res() response: Response): void {
    const front = `${this.publicUrl.basePath}/`;
    const lines = ['User-agent: *', `Allow: ${front}$`, `Disallow: ${front}`, ''];
    response.set('Cache-Control', A_DAY).type('text/plain').send(lines.join('\n'));
  }

  private fileOf(name: string, response: Response): StaticFile {
    const asset = this.assets.find(name);
    if (!asset) throw new NotFoundException();
    if (/\.(svg|png)$/.test(name)) response.set('Content-Security-Policy', IMAGE_POLICY);
    if (name.endsWith('.js')) response.set('Content-Security-Policy', SCRIPT_POLICY);
    return asset;
  }
}
