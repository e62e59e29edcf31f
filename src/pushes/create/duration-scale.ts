import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/settings/units.js';

/** A lifetime in milliseconds, and the days that are reported for it. */
export interface Duration {
  lifetime: number;
  days: number;
}

const UNDER_A_DAY = [15 * MINUTE_MS, 30 * MINUTE_MS, 45 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, 12 * HOUR_MS].map(
  (lifetime) => ({ lifetime, days: 1 }),
);

/** The scale of `expire_after_duration`, which some clients send instead of days: 0 is 15 minutes, 17 is 90 days. */
export const DURATION_SCALE: readonly Duration[] = [
  ...UNDER_A_DAY,
  ...[1, 2, 3, 4, 5, 6, 7, 14, 21, 30, 60, 90].map(ofDays),
];

function ofDays(days: number): Duration {
  return { lifetime: days * DAY_MS, days };
}
