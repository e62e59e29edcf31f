import { Controller, Get } from '@nestjs/common';
import { Public } from '../auth/access.decorators.js';
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
