import { Controller, Get, NotFoundException, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Public } from '../auth/access.decorators.js';
import { ReadsNotLimited } from '../throttling/rate-limit.guard.js';
import { DOCS_ASSETS, DOCS_DESCRIPTION, DOCS_PAGE, DOCS_POLICY, DOCS_TEXT } from './docs-page.js';

@Controller('api')
export class DocsController {
  /** Shows the documentation of the API as a page, made of local files alone. */
  @Get('docs')
  @Public()
  show(@Res({ passthrough: true }) response: Response): string {
    response.type('html').set('Content-Security-Policy', DOCS_POLICY);
    return DOCS_PAGE;
  }

  /** Serves the files of the documentation page. */
  @Get('docs/:asset')
  @ReadsNotLimited()
  @Public()
  give(@Param('asset') name: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const asset = DOCS_ASSETS.get(name);
    if (!asset) throw new NotFoundException();
    return asset.send(request, response);
  }

  /** Shows the rules of the API as text. */
  @Get('docs.md')
  @Public()
  explain(@Req() request: Request, @Res() response: Response): Promise<void> {
    return DOCS_TEXT.send(request, response);
  }

  /** Describes the API for programs. The path is without `.json` by now, as every path is. */
  @Get('v2/openapi')
  @Public()
  describe(@Req() request: Request, @Res() response: Response): Promise<void> {
    return DOCS_DESCRIPTION.send(request, response);
  }
}
