import { durationIn } from '../texts/duration.js';
import { locale, text } from './texts.js';

/** When to try again, in words; empty if the server did not say. */
export function waitingTime(seconds: number | undefined): string {
  if (seconds === undefined || seconds <= 0) return '';
  return text('script.tryAgainIn', { time: durationIn(locale(), seconds) });
}
