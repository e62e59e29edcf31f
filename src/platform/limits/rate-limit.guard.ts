import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { clientAddress, clientNetworks } from '../http/visitor.js';
import { Settings } from '../settings/settings.js';
import type { Allowance } from './rate-limiter.js';
import { RateLimiter } from './rate-limiter.js';
import { Problem } from '../errors/problem.js';

/** How the reads of a route are counted: not at all, or as page views; or all of its requests as page views. */
type CountedReads = 'not' | 'as pages' | 'all as pages';

const COUNTED_READS = Symbol('counted reads');

/** Does not limit reads of a route or a controller. Other requests still count. */
export const ReadsNotLimited = () => SetMetadata(COUNTED_READS, 'not' satisfies CountedReads);

/** Counts reads of a controller for PAGE_REQUESTS_PER_MINUTE, and other requests for REQUESTS_PER_MINUTE. */
export const ReadsCountedAsPages = () => SetMetadata(COUNTED_READS, 'as pages' satisfies CountedReads);

/** Counts all requests of a route for PAGE_REQUESTS_PER_MINUTE: for one that a client rightly calls often. */
export const CountedAsPages = () => SetMetadata(COUNTED_READS, 'all as pages' satisfies CountedReads);

/**
 * Enforces REQUESTS_PER_MINUTE for each client network, over all routes together, and PAGE_REQUESTS_PER_MINUTE for
 * reading pages. Responds with 429 and `Retry-After` beyond them. See docs/api.md, Limits.
 */
@Injectable()
export class RateLimitGuard implements CanActivate {
  private readonly requests: Allowance;
  private readonly pages: Allowance;

  constructor(
    { REQUESTS_PER_MINUTE, PAGE_REQUESTS_PER_MINUTE }: Settings,
    private readonly limiter: RateLimiter,
    private readonly reflector: Reflector,
  ) {
    const problem = new Problem('too_many_requests');
    this.requests = { name: '', limit: REQUESTS_PER_MINUTE, problem };
    this.pages = { name: 'pages:', limit: REQUESTS_PER_MINUTE && PAGE_REQUESTS_PER_MINUTE, problem };
  }

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const allowance = this.allowanceFor(request, context);
    return !allowance?.limit || this.limiter.admit(allowance, clientNetworks(clientAddress(request)));
  }

  /** Undefined if a request is not counted. */
  private allowanceFor(request: Request, context: ExecutionContext): Allowance | undefined {
    const targets = [context.getHandler(), context.getClass()];
    const counted = this.reflector.getAllAndOverride<CountedReads | undefined>(COUNTED_READS, targets);
    if (counted === 'all as pages') return this.pages;
    if (!isRead(request)) return this.requests;
    if (counted === 'not') return undefined;
    return counted === 'as pages' ? this.pages : this.requests;
  }
}

function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}
