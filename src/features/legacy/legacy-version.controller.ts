import { Controller, Get } from '@nestjs/common';
import { Public } from '../../auth/access.decorators.js';
import { OnGateway } from '../../platform/http/gateway.guard.js';
import { VersionService } from '../../version/version.service.js';

const API_VERSION = '1.5';

@Controller('api/v1/version')
@OnGateway()
export class LegacyVersionController {
  constructor(private readonly version: VersionService) {}

  /** Returns the versions of the service and of this API. */
  @Get()
  @Public()
  describe() {
    const { application_version, edition } = this.version.describe();
    return { application_version, api_version: API_VERSION, edition };
  }
}
