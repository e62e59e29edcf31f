import { Session } from 'node:inspector';
import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { MemoryBudget } from '../settings/memory-budget.js';
import { MIB, SECOND_MS } from '../settings/units.js';

/** Bytes by which resident memory may grow before unused objects are collected. */
const MAX_GROWTH = 64 * MIB;

/**
 * Frees memory that is no longer used. V8 collects garbage only while objects are created, so an idle process could
 * keep hundreds of megabytes after a burst of requests: docs/decisions/0026.
 */
@Injectable()
export class UnusedMemory {
  /** Bytes of resident memory, the least since the last collection. */
  private leastResident = process.memoryUsage.rss();

  constructor(private readonly budget: MemoryBudget) {}

  /** Collects unused objects if they may take much memory. */
  @Interval(20 * SECOND_MS)
  free(): void {
    const { arrayBuffers, rss } = process.memoryUsage();
    this.leastResident = Math.min(this.leastResident, rss);
    const maxResident = Math.min(this.budget.ordinaryResident, this.leastResident + MAX_GROWTH);
    if (arrayBuffers < this.budget.ordinaryBuffers && rss < maxResident) return;
    this.collect();
  }

  /** Holds the event loop for 20 to 200 ms. */
  collect(): void {
    const session = new Session();
    session.connect();
    session.post('HeapProfiler.collectGarbage', () => {
      // not in the callback itself, where it would wait for ever
      setImmediate(() => {
        session.disconnect();
        this.leastResident = process.memoryUsage.rss();
      });
    });
  }
}
