import { Global, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { ErrorsFilter } from './errors/errors.filter.js';
import { PublicUrl } from './public-url.js';

@Global()
@Module({
  providers: [PublicUrl, { provide: APP_FILTER, useClass: ErrorsFilter }],
  exports: [PublicUrl],
})
export class HttpModule {}
