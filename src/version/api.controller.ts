import { Controller, Get, Req } from '@nestjs/common';
import type { Request } from 'express';
import { Public } from '../auth/access.decorators.js';
import { PublicUrl } from '../platform/http/public-url.js';

@Controller('api')
export class ApiController {
  constructor(private readonly publicUrl: PublicUrl) {}

  /** Lists the URLs of each version of the API and of its documentation. */
  @Get()
  @Public()
  introduce(@Req() request: Request): Record<string, string> {
    const api = `${this.publicUrl.of(request)}/api`;
    return { v2: `${api}/v2`, v1: `${api}/v1`, documentation: `${api}/docs` };
  }
}
