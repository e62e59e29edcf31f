import { Module } from '@nestjs/common';
import { FilesModule } from '../../files/files.module.js';
import { VersionModule } from '../../version/version.module.js';
import { SchedulingModule } from '../../platform/scheduling/scheduling.module.js';
import { OverviewService } from './overview.service.js';
import { TotalsService } from './totals.service.js';

@Module({
  imports: [SchedulingModule, FilesModule, VersionModule],
  providers: [OverviewService, TotalsService],
  exports: [OverviewService],
})
export class OverviewModule {}
