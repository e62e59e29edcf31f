import { Global, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { ErrorsFilter } from './errors/errors.filter.js';
import { AccountQueues } from './account-queues.js';
import { PublicUrl } from './public-url.js';
import { StreamedResponses } from './streamed-responses.js';
import { UnusedBuffers } from './unused-buffers.js';

@Global()
@Module({
  providers: [
    PublicUrl,
    AccountQueues,
    StreamedResponses,
    UnusedBuffers,
    { provide: APP_FILTER, useClass: ErrorsFilter },
  ],
  exports: [PublicUrl, AccountQueues, StreamedResponses],
})
export class HttpModule {}
