import { Controller, Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Public } from '../auth/access.decorators.js';
import { ApiDescription } from './api-description.js';
import { DOCS_TEXT } from './docs-files.js';

@Controller('api')
export class DocsController {
  constructor(private readonly description: ApiDescription) {}

  /** Shows the rules of the API as text. */
  @Get('docs.md')
  @Public()
  explain(@Req() request: Request, @Res() response: Response): Promise<void> {
    return DOCS_TEXT.send(request, response);
  }

  /** Describes the API for programs. */
  @Get('v2/openapi') // the path is without `.json` by now, as every path is
  @Public()
  describe(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.description.file.send(request, response);
  }
}
