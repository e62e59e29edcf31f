import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { Log } from '../logging/log.js';
import { Settings } from '../settings/settings.js';
import { AccountQueues } from './account-queues.js';
import { HashingQueues } from './hashing-queues.js';
import { MemoryRateLimiter, RateLimiter } from './rate-limiter.js';
import { RateLimitGuard } from './rate-limit.guard.js';
import { RedisRateLimiter } from './redis-rate-limiter.js';
import { StreamedResponses } from './streamed-responses.js';
import { MINUTE_MS } from '../settings/units.js';

/**
 * Global, because limits apply to routes and services of many modules. Imported before AuthModule, whose guard looks up
 * tokens, so that requests with wrong tokens are counted too.
 */
@Global()
@Module({
  providers: [
    AccountQueues,
    HashingQueues,
    StreamedResponses,
    { provide: RateLimiter, inject: [Settings, Log], useFactory: rateLimiterFor },
    { provide: APP_GUARD, useClass: RateLimitGuard },
  ],
  exports: [AccountQueues, HashingQueues, RateLimiter, StreamedResponses],
})
export class LimitsModule {}

function rateLimiterFor(
  { REQUESTS_PER_MINUTE, THROTTLE_REDIS_URL }: Settings,
  log: Log,
): RateLimiter | Promise<RateLimiter> {
  if (THROTTLE_REDIS_URL === undefined || REQUESTS_PER_MINUTE === 0) return new MemoryRateLimiter(MINUTE_MS);

  return RedisRateLimiter.start(THROTTLE_REDIS_URL, MINUTE_MS, log);
}
