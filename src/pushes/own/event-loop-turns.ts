import { setImmediate } from 'node:timers/promises';

const MAX_TURN_MS = 8;

/** Gives way to other requests during long work. */
export class EventLoopTurns {
  private beganAt = performance.now();

  /** Await this after each short step. */
  async yield(): Promise<void> {
    if (performance.now() - this.beganAt < MAX_TURN_MS) return;
    await setImmediate();
    this.beganAt = performance.now();
  }
}
