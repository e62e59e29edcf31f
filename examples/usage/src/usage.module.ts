import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { InstanceAuditModule, MailModule, MigrationsModule, PagesModule, provideSettings } from 'sealpush';
import { Usage_Initial1800000000000 } from './initial.migration.js';
import { UsageCount } from './usage-count.entity.js';
import { UsageController } from './usage.controller.js';
import { UsagePageController } from './usage.page.js';
import { UsageService } from './usage.service.js';
import { UsageSettings } from './usage.settings.js';

/** Counts the pushes of each account. docs/extending.md explains it. */
@Module({
  imports: [
    PagesModule,
    MailModule,
    InstanceAuditModule,
    TypeOrmModule.forFeature([UsageCount]),
    MigrationsModule.forFeature([Usage_Initial1800000000000]),
  ],
  controllers: [UsageController, UsagePageController],
  providers: [UsageService, provideSettings(UsageSettings)],
})
export default class UsageModule {}
