import { Injectable } from '@nestjs/common';
import { OnEvent } from '@nestjs/event-emitter';
import { ExpirySwept } from '../pushes/expiry-swept.js';
import { PassphraseFailed, PushCreated, PushExpired, PushRetrieved } from '../pushes/push-events.js';
import { Metrics } from './metrics.js';

/** Measures what happens to pushes. */
@Injectable()
export class MetricsListener {
  constructor(private readonly metrics: Metrics) {}

  @OnEvent(PushCreated.eventName)
  created(event: PushCreated): void {
    this.metrics.created?.(event);
  }

  @OnEvent(PushRetrieved.eventName)
  retrieved(event: PushRetrieved): void {
    this.metrics.retrieved?.(event);
  }

  @OnEvent(PushExpired.eventName)
  expired(event: PushExpired): void {
    this.metrics.expired?.(event);
  }

  @OnEvent(PassphraseFailed.eventName)
  passphraseFailed(event: PassphraseFailed): void {
    this.metrics.passphraseFailed?.(event);
  }

  @OnEvent(ExpirySwept.eventName)
  swept(event: ExpirySwept): void {
    this.metrics.swept?.(event);
  }
}
