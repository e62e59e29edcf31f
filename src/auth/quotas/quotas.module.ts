import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DailyUsage } from './daily-quota.js';
import { MigrationsModule } from '../../platform/database/migrations.module.js';
import { Quotas_Initial1767380000000 } from './initial.migration.js';

/** What accounts have used in a day: `DailyQuota` counts it. */
@Module({
  imports: [
    TypeOrmModule.forFeature([DailyUsage]),
    MigrationsModule.forFeature([Quotas_Initial1767380000000]),
  ],
  exports: [TypeOrmModule],
})
export class QuotasModule {}
