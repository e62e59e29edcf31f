import { durationIn } from '../../texts/duration.js';
import { locale, text } from './texts.js';

/** When to try again, in words; empty unless the server said so. @param retryAfter the header, in seconds */
export function waitingTime(retryAfter: string | null): string {
  const seconds = Number(retryAfter ?? NaN);
  if (!(seconds > 0)) return '';
  return text('script.tryAgainIn', { time: durationIn(locale(), seconds) });
}
