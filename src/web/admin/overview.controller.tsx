import { Get } from '@nestjs/common';
import { AdministratorPage } from '../../auth/access.decorators.js';
import { OverviewService } from '../../overview/overview.service.js';
import { PageController } from '../pages/page-controller.js';
import { PageResponse } from '../pages/page-response.js';
import { Overview } from '../views/admin/overview.js';

@PageController()
export class OverviewController {
  constructor(private readonly overview: OverviewService) {}

  /** The start page of administrators. */
  @Get('admin')
  @AdministratorPage()
  async show(): Promise<PageResponse> {
    return new PageResponse(<Overview overview={await this.overview.describe()} />);
  }
}
