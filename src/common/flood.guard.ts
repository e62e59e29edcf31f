import type { ExecutionContext } from '@nestjs/common';
import { Injectable, SetMetadata } from '@nestjs/common';
import type { ThrottlerLimitDetail, ThrottlerModuleOptions, ThrottlerStorage } from '@nestjs/throttler';
import { ThrottlerGuard } from '@nestjs/throttler';
import type { Request } from 'express';
import type { Settings } from '../settings/settings.js';
import { clientAddress, throttleAddress } from './client-address.js';
import { FloodCounts } from './flood-counts.js';
import type { Log } from './log.js';
import { TooManyRequests } from './too-many-requests.js';

const NOT_THROTTLED = Symbol('not throttled');

/** Lets a route, or all of a controller, be read as often as anyone likes. What is posted counts all the same. */
export const ReadsNotThrottled = () => SetMetadata(NOT_THROTTLED, true);

const MINUTE_MS = 60_000;

/** REQUESTS_PER_MINUTE for each client address, over all routes together. */
export async function floodOptions(settings: Settings, log: Log): Promise<ThrottlerModuleOptions> {
  const { REQUESTS_PER_MINUTE } = settings;
  return {
    storage: await floodCountsFor(settings, log),
    throttlers: [{ ttl: MINUTE_MS, limit: REQUESTS_PER_MINUTE }],
    skipIf: () => REQUESTS_PER_MINUTE === 0,
    setHeaders: false, // on a 403 they would read as if waiting helped
  };
}

async function floodCountsFor(settings: Settings, log: Log): Promise<ThrottlerStorage> {
  const { REQUESTS_PER_MINUTE, THROTTLE_REDIS_URL } = settings;
  if (THROTTLE_REDIS_URL === undefined || REQUESTS_PER_MINUTE === 0) return new FloodCounts();

  const { SharedFloodCounts } = await import('./shared-flood-counts.js'); // its client is big; only those who need it load it
  return new SharedFloodCounts(THROTTLE_REDIS_URL, log).start();
}

/** Slows floods down: 429 with `Retry-After`. */
@Injectable()
export class FloodGuard extends ThrottlerGuard {
  protected override shouldSkip(context: ExecutionContext): Promise<boolean> {
    const { method } = context.switchToHttp().getRequest<Request>();
    const isRead = method === 'GET' || method === 'HEAD';
    const targets = [context.getHandler(), context.getClass()];
    return Promise.resolve(isRead && this.reflector.getAllAndOverride(NOT_THROTTLED, targets) === true);
  }

  protected override getTracker(request: Record<string, unknown>): Promise<string> {
    return Promise.resolve(throttleAddress(clientAddress(request as unknown as Request)));
  }

  protected override throwThrottlingException(
    _context: ExecutionContext,
    { timeToBlockExpire }: ThrottlerLimitDetail,
  ): Promise<void> {
    throw new TooManyRequests('requests', 'Too many requests. Try again later.', timeToBlockExpire);
  }

  protected override generateKey(_context: ExecutionContext, tracker: string): string {
    return tracker;
  }
}
