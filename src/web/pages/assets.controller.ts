import { Controller, Get, NotFoundException, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Public } from '../../auth/access.decorators.js';
import { ReadsNotLimited } from '../../throttling/rate-limit.guard.js';
import { PublicUrl } from '../../http/public-url.js';
import type { StaticFile } from '../../http/static-file.js';
import { Assets } from './assets.js';

const A_YEAR = 'public, max-age=31536000, immutable';
const A_DAY = 'public, max-age=86400';

/** The policy of an image that a browser opens as a page: it runs no script and loads nothing else. */
const IMAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** The policy of the script of a worker, to which the policy of a page does not apply: it loads nothing. */
const SCRIPT_POLICY = "default-src 'none'";

@Controller()
@ReadsNotLimited()
export class AssetsController {
  constructor(
    private readonly assets: Assets,
    private readonly publicUrl: PublicUrl,
  ) {}

  /** Sends a stylesheet, a script or an image. */
  @Get('assets/:version/:name')
  @Public()
  send(
    @Param('version') version: string,
    @Param('name') name: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const file = this.fileOf(name, response);
    response.set('Cache-Control', version === this.assets.version ? A_YEAR : 'no-store');
    return file.send(request, response);
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
