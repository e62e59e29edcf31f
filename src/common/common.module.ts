import { Global, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { EventEmitterModule } from '@nestjs/event-emitter';
import { ErrorsFilter } from './errors.filter.js';
import { Log } from './log.js';
import { PublicAddress } from './public-address.js';
import { ScheduledWork } from './scheduled-work.js';

@Global()
@Module({
  imports: [EventEmitterModule.forRoot()],
  providers: [Log, PublicAddress, ScheduledWork, { provide: APP_FILTER, useClass: ErrorsFilter }],
  exports: [Log, PublicAddress, ScheduledWork],
})
export class CommonModule {}
