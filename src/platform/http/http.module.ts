import { Global, Module } from '@nestjs/common';
import { AccountQueues } from './account-queues.js';
import { Cookies } from './cookies.js';
import { PublicUrl } from './public-url.js';
import { StreamedResponses } from './streamed-responses.js';
import { UnusedMemory } from './unused-memory.js';

/** Global, because every module with routes uses it, by `@CurrentVisitor()` or what limits a route. */
@Global()
@Module({
  providers: [PublicUrl, Cookies, AccountQueues, StreamedResponses, UnusedMemory],
  exports: [PublicUrl, Cookies, AccountQueues, StreamedResponses],
})
export class HttpModule {}
