/**
 * How long to wait, in milliseconds, until fewer than `max` of these times are in the window; 0 if they already are. A
 * time after now counts as now.
 */
export function retryAfterMs(latestFirst: Date[], max: number, windowMs: number, now: Date): number {
  const decisive = latestFirst[max - 1];
  return decisive ? Math.max(0, windowMs - Math.max(0, now.getTime() - decisive.getTime())) : 0;
}
