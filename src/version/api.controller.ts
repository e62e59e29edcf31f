import { Controller, Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Public } from '../auth/access.decorators.js';
import { PublicUrl } from '../platform/http/public-url.js';
import { DOCS_TEXT, ApiDescription } from './docs-files.js';
import { OnGateway } from '../platform/http/gateway.guard.js';
import type { VersionDto } from './version.dto.js';
import { VersionService } from './version.service.js';

@Controller('api/v2/version')
@OnGateway()
export class VersionController {
  constructor(private readonly version: VersionService) {}

  /** Returns the versions and the features of this installation. */
  @Get()
  @Public()
  describe(): VersionDto {
    return this.version.describe();
  }
}

@Controller('api')
export class ApiController {
  constructor(
    private readonly publicUrl: PublicUrl,
    private readonly description: ApiDescription,
  ) {}

  /** Lists the URLs of each version of the API and of its documentation. */
  @Get()
  @Public()
  introduce(@Req() request: Request): Record<string, string> {
    const api = `${this.publicUrl.of(request)}/api`;
    return { v2: `${api}/v2`, v1: `${api}/v1`, documentation: `${api}/docs` };
  }

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
