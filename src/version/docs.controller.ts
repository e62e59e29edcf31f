import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { Controller, Get, StreamableFile } from '@nestjs/common';
import { Public } from '../auth/openness.js';

const API_DOCUMENTATION = join(__dirname, '../../docs/api.md');

@Controller('api/docs')
export class DocsController {
  /** Shows the documentation of the API. */
  @Get()
  @Public()
  show(): StreamableFile {
    return new StreamableFile(createReadStream(API_DOCUMENTATION), { type: 'text/plain; charset=utf-8' });
  }
}
