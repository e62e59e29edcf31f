import { setTimeout } from 'node:timers/promises';

const MAX_PAUSE_MS = 100;

/** Slows down background work: after each step it pauses for as long as the step took, up to a tenth of a second. */
export class Pace {
  private beganAt: number;

  /** @param now a clock, in milliseconds */
  constructor(private readonly now = () => performance.now()) {
    this.beganAt = now();
  }

  /**
   * Pauses; to be awaited after each step.
   * @param afterMs does not pause before this much time has passed, for steps that are shorter than any pause
   */
  async pause(afterMs = 0): Promise<void> {
    const took = this.now() - this.beganAt;
    if (took < afterMs) return;
    await setTimeout(Math.min(took, MAX_PAUSE_MS));
    this.beganAt = this.now();
  }
}
