import { UsageError } from './exit-codes.js';

const STEPS = ['15m', '30m', '45m', '1h', '6h', '12h'];
const MAX_DAYS = 90;

/**
 * The fields of a push that lives so long: `15m`, `30m`, `45m`, `1h`, `6h`, `12h`, or `1d` to `90d`.
 * @throws UsageError
 */
export function lifetimeOf(
  text: string,
  option = '--for',
): { expireAfterDuration: number } | { expireAfterDays: number } {
  const step = STEPS.indexOf(text);
  if (step >= 0) return { expireAfterDuration: step };
  const days = Number(/^([1-9]\d?)d$/.exec(text)?.[1]);
  if (days <= MAX_DAYS) return { expireAfterDays: days };
  throw new UsageError(`${option} must be one of ${STEPS.join(', ')}, or days from 1d to ${MAX_DAYS}d.`);
}

/** The same as a step of the scale on which requests close. */
export function durationOf(text: string, option = '--for'): number {
  const scale = [...STEPS, '1d', '2d', '3d', '4d', '5d', '6d', '7d', '14d', '21d', '30d', '60d', '90d'];
  const step = scale.indexOf(text);
  if (step < 0) throw new UsageError(`${option} must be one of ${scale.join(', ')}.`);
  return step;
}
