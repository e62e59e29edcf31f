import { Module } from '@nestjs/common';
import { FilesModule } from '../../files/files.module.js';
import { InstanceAuditModule } from '../../platform/instance-audit/instance-audit.module.js';
import { SchedulingModule } from '../../platform/scheduling/scheduling.module.js';
import { AccountRemovalModule } from '../../pushes/account-removal/account-removal.module.js';
import { PushesModule } from '../../pushes/pushes.module.js';
import { VersionModule } from '../../version/version.module.js';
import { PagesModule } from '../../web/pages.module.js';
import { AccountsController } from './accounts.page.js';
import { GroupsController } from './groups.page.js';
import { InstanceAuditController, InstanceAuditDownloadController } from './instance-audit.page.js';
import { AccountActionsController } from './managed-account.page.js';
import { OverviewController } from './overview/overview.page.js';
import { OverviewService } from './overview/overview.service.js';
import { TotalsService } from './overview/totals.service.js';

/** The pages of administrators: the instance at a glance, its accounts and their groups, and its audit log. */
@Module({
  imports: [
    AccountRemovalModule,
    FilesModule,
    InstanceAuditModule,
    PagesModule,
    PushesModule,
    SchedulingModule,
    VersionModule,
  ],
  controllers: [
    AccountsController,
    AccountActionsController,
    GroupsController,
    InstanceAuditController,
    InstanceAuditDownloadController,
    OverviewController,
  ],
  providers: [OverviewService, TotalsService],
})
export class AdminModule {}
