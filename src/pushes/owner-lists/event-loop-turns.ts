import { setImmediate } from 'node:timers/promises';

const MAX_TURN_MS = 8;

/** Yields to the event loop during long work, so that other requests are served. */
export class EventLoopTurns {
  private beganAt = performance.now();

  /** Yields; to be awaited after each short step. */
  async yield(): Promise<void> {
    if (performance.now() - this.beganAt < MAX_TURN_MS) return;
    await setImmediate();
    this.beganAt = performance.now();
  }
}
