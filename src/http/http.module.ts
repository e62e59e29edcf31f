import { Global, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { ErrorsFilter } from './errors/errors.filter.js';
import { AccountQueues } from './account-queues.js';
import { PublicUrl } from './public-url.js';

@Global()
@Module({
  providers: [PublicUrl, AccountQueues, { provide: APP_FILTER, useClass: ErrorsFilter }],
  exports: [PublicUrl, AccountQueues],
})
export class HttpModule {}
