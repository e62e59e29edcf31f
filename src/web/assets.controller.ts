import { Controller, Get, NotFoundException, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Public } from '../auth/openness.js';
import { ReadsNotThrottled } from '../common/flood.guard.js';
import { Assets } from './assets.js';

const A_YEAR = 'public, max-age=31536000, immutable';
const A_DAY = 'public, max-age=86400';

/** A person finds the front page by a search engine, and never a push. */
const ROBOTS = ['User-agent: *', 'Allow: /$', 'Disallow: /', ''].join('\n');

@Controller()
@ReadsNotThrottled()
export class AssetsController {
  constructor(private readonly assets: Assets) {}

  /** Sends a style, a script or a picture. */
  @Get('assets/:version/:name')
  @Public()
  send(@Param('version') version: string, @Param('name') name: string, @Res() response: Response): void {
    this.answer(name, version === this.assets.version ? A_YEAR : 'no-store', response);
  }

  /** Sends the icon to browsers that ask for it by its old name. */
  @Get('favicon.ico')
  @Public()
  sendIcon(@Res() response: Response): void {
    this.answer('favicon.svg', A_DAY, response);
  }

  /** Tells search engines what to leave alone. */
  @Get('robots.txt')
  @Public()
  tellRobots(@Res() response: Response): void {
    response.set('Cache-Control', A_DAY).type('text/plain').send(ROBOTS);
  }

  private answer(name: string, cacheControl: string, response: Response): void {
    const asset = this.assets.find(name);
    if (!asset) throw new NotFoundException();
    response.set({ 'Content-Type': asset.contentType, 'Cache-Control': cacheControl }).send(asset.content);
  }
}
