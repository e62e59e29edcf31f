import { Global, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { ErrorsFilter } from './errors.filter.js';
import { Log } from './log.js';
import { PublicAddress } from './public-address.js';

@Global()
@Module({
  providers: [Log, PublicAddress, { provide: APP_FILTER, useClass: ErrorsFilter }],
  exports: [Log, PublicAddress],
})
export class CommonModule {}
