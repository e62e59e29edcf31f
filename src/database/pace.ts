import { setTimeout } from 'node:timers/promises';

const MAX_REST_MS = 100;

/** Slows down background work: after each step it pauses for as long as the step took, up to a tenth of a second. */
export class Pace {
  private beganAt = performance.now();

  /** Await this after each step. */
  async rest(): Promise<void> {
    await setTimeout(Math.min(performance.now() - this.beganAt, MAX_REST_MS));
    this.beganAt = performance.now();
  }
}
