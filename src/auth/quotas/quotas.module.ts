import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DailyUsage } from './daily-usage.entity.js';

/** What accounts have used in a day: `DailyQuota` counts it. */
@Module({
  imports: [TypeOrmModule.forFeature([DailyUsage])],
  exports: [TypeOrmModule],
})
export class QuotasModule {}
