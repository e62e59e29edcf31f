import { Controller, Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Public } from '../../auth/access.decorators.js';
import { ReadsCountedAsPages } from '../../throttling/rate-limit.guard.js';
import { LANGUAGE_HEADERS, languageOf } from '../language/language.js';
import { PageRenderer } from '../pages/page-renderer.js';
import { DocsPage } from './docs-page.js';

/** Short time in caches, because settings and releases change the page. */
const AN_HOUR = 'public, max-age=3600';

@Controller('api/docs')
@ReadsCountedAsPages()
export class DocsPageController {
  constructor(
    private readonly page: DocsPage,
    private readonly renderer: PageRenderer,
  ) {}

  /** Shows the documentation of the API as a page. */
  @Get()
  @Public()
  show(@Req() request: Request, @Res() response: Response): Promise<void> {
    this.renderer.secure(request, response);
    response.set('Cache-Control', AN_HOUR).vary(LANGUAGE_HEADERS);
    return this.page.send(languageOf(request), request, response);
  }
}
