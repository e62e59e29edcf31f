import { Session } from 'node:inspector';
import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { MemoryBudget } from '../settings/memory-budget.js';
import { SECOND_MS } from '../settings/units.js';

/**
 * Frees buffers that are no longer used. V8 collects garbage only while objects are created, so an idle process could
 * keep hundreds of megabytes after a burst of requests: docs/decisions/0026.
 */
@Injectable()
export class UnusedBuffers {
  constructor(private readonly budget: MemoryBudget) {}

  /** Holds the event loop for some 20 to 50 ms, if there is anything to do. */
  @Interval(20 * SECOND_MS)
  free(): void {
    const { arrayBuffers, rss } = process.memoryUsage();
    if (arrayBuffers < this.budget.ordinaryBuffers && rss < this.budget.ordinaryResident) return;
    const session = new Session();
    session.connect();
    session.post('HeapProfiler.collectGarbage', () => {
      // not in the callback itself, where it would wait for ever
      setImmediate(() => {
        session.disconnect();
      });
    });
  }
}
