import { Global, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { ErrorsFilter } from './errors.filter.js';
import { PublicAddress } from './public-address.js';

@Global()
@Module({
  providers: [PublicAddress, { provide: APP_FILTER, useClass: ErrorsFilter }],
  exports: [PublicAddress],
})
export class HttpModule {}
