import { setImmediate } from 'node:timers/promises';

const MAX_TURN_MS = 8;

/** Yields to the event loop during long work, so that other requests are served. `signal` stops the work. */
export class EventLoopTurns {
  private beganAt = performance.now();

  constructor(private readonly signal?: AbortSignal) {}

  /**
   * Yields; to be awaited after each short step.
   * @throws the reason of `signal`
   */
  async yield(): Promise<void> {
    this.signal?.throwIfAborted();
    if (performance.now() - this.beganAt < MAX_TURN_MS) return;
    await setImmediate();
    this.beganAt = performance.now();
  }
}
