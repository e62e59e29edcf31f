import { Get } from '@nestjs/common';
import { PublicPage } from '../auth/access.decorators.js';
import { Settings } from '../settings/settings.js';
import { VersionService } from '../version/version.service.js';
import { PageResponse } from './pages/page-response.js';
import { PageController } from './pages/page-controller.js';
import { HowItWorks } from './views/how-it-works.js';

@PageController()
export class HowItWorksController {
  constructor(
    private readonly settings: Settings,
    private readonly version: VersionService,
  ) {}

  /** Explains who can see what, and when it is deleted. */
  @Get('how-it-works')
  @PublicPage()
  explain(): PageResponse {
    return new PageResponse(
      <HowItWorks
        version={this.version.describe().application_version}
        ownerViewsCount={this.settings.OWNER_VIEWS_COUNT}
        retentionDays={this.settings.RETENTION_DAYS}
      />,
    );
  }
}
