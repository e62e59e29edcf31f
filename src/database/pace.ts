import { setTimeout } from 'node:timers/promises';

const LONGEST_REST_MS = 100;

/** Of long work in steps that nobody waits for: between any two it leaves others as much time as the first took, up to a tenth of a second. */
export class Pace {
  private beganAt = performance.now();

  /** To be waited for after each step. */
  async rest(): Promise<void> {
    await setTimeout(Math.min(performance.now() - this.beganAt, LONGEST_REST_MS));
    this.beganAt = performance.now();
  }
}
