import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { Controller, Get, NotFoundException, Param, Res, StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import { Public } from '../auth/openness.js';
import { ReadsNotThrottled } from '../common/flood.guard.js';
import { DOCS_ASSETS, DOCS_PAGE, DOCS_POLICY } from './docs-page.js';

const ROOT = join(__dirname, '../..');

@Controller('api')
export class DocsController {
  /** Shows the documentation of the API as a page, made of local files alone. */
  @Get('docs')
  @Public()
  show(@Res({ passthrough: true }) response: Response): string {
    response.type('html').set('Content-Security-Policy', DOCS_POLICY);
    return DOCS_PAGE;
  }

  /** Gives what the page is made of. */
  @Get('docs/:asset')
  @ReadsNotThrottled()
  @Public()
  give(@Param('asset') name: string): StreamableFile {
    const asset = DOCS_ASSETS.get(name);
    if (!asset) throw new NotFoundException();
    return asset();
  }

  /** Shows the rules of the API as text. */
  @Get('docs.md')
  @Public()
  explain(): StreamableFile {
    return file('docs/api.md', 'text/plain; charset=utf-8');
  }

  /** Describes the API for programs. The path is without `.json` by now, as every path is. */
  @Get('v2/openapi')
  @Public()
  describe(): StreamableFile {
    return file('openapi.json', 'application/json; charset=utf-8');
  }
}

function file(path: string, type: string): StreamableFile {
  return new StreamableFile(createReadStream(join(ROOT, path)), { type });
}
