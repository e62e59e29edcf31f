import { Global, Module } from '@nestjs/common';
import { AccountQueues } from './account-queues.js';
import { PublicUrl } from './public-url.js';
import { StreamedResponses } from './streamed-responses.js';
import { UnusedBuffers } from './unused-buffers.js';

/** Global, because every module with routes uses it, by `@CurrentVisitor()` or what limits a route. */
@Global()
@Module({
  providers: [PublicUrl, AccountQueues, StreamedResponses, UnusedBuffers],
  exports: [PublicUrl, AccountQueues, StreamedResponses],
})
export class HttpModule {}
