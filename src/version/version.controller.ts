import { Controller, Get } from '@nestjs/common';
import { Public } from '../auth/access.decorators.js';
import type { VersionDto } from './version.dto.js';
import { VersionService } from './version.service.js';

@Controller('api/v2/version')
export class VersionController {
  constructor(private readonly version: VersionService) {}

  /** Tells versions and what this installation offers. */
  @Get()
  @Public()
  tell(): VersionDto {
    return this.version.tell();
  }
}
