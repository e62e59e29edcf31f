import { Global, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { EventEmitterModule } from '@nestjs/event-emitter';
import { ErrorsFilter } from './errors.filter.js';
import { Log } from './log.js';
import { PublicAddress } from './public-address.js';

@Global()
@Module({
  imports: [EventEmitterModule.forRoot()],
  providers: [Log, PublicAddress, { provide: APP_FILTER, useClass: ErrorsFilter }],
  exports: [Log, PublicAddress],
})
export class CommonModule {}
