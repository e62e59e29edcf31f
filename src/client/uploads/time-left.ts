import { durationIn } from '../../texts/duration.js';

const WINDOW_MS = 20_000;
const MEASURED_EVERY_MS = 500;
/** Before that nobody knows. */
const KNOWN_AFTER_MS = 3000;
const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const STEP_S = 10;

/** Estimates from the last seconds how long a task will take. */
export class TimeLeft {
  private measured: { at: number; done: number }[] = [];

  /**
   * In seconds; undefined while that is not known.
   * @param done what was done here
   * @param left what is to be done
   */
  after(done: number, left: number, now = performance.now()): number | undefined {
    this.measured = this.measured.filter(({ at }) => now - at < WINDOW_MS);
    if (now - (this.measured.at(-1)?.at ?? -Infinity) >= MEASURED_EVERY_MS)
      this.measured.push({ at: now, done });
    const first = this.measured[0] ?? { at: now, done };
    const elapsed = now - first.at;
    if (elapsed < KNOWN_AFTER_MS || done <= first.done) return undefined;
    return inSteps((left * elapsed) / (done - first.done) / 1000);
  }

  /** Forgets how fast it was, after a break. */
  reset(): void {
    this.measured = [];
  }
}

/** Rounded up to what does not change all the time. */
function inSteps(seconds: number): number {
  const step = seconds < MINUTE_S ? STEP_S : MINUTE_S;
  return Math.max(STEP_S, Math.ceil(seconds / step) * step);
}

/** A time in words, of which each is as exact as the one before: hours have their minutes. */
export function timeLeftIn(locale: string, seconds: number): string {
  if (seconds < HOUR_S) return durationIn(locale, seconds);
  const minutes = Math.ceil(seconds / MINUTE_S);
  const parts = [
    [Math.floor(minutes / 60), 'hour'],
    [minutes % 60, 'minute'],
  ] as const;
  const words = parts
    .filter(([number]) => number > 0)
    .map(([number, unit]) => new Intl.NumberFormat(locale, { style: 'unit', unit }).format(number));
  return new Intl.ListFormat(locale, { type: 'unit', style: 'narrow' }).format(words);
}
