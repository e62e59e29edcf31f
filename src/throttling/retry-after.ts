/** How long to wait, in milliseconds, until fewer than `most` of these times are in the window; 0 if they already are. */
export function retryAfterMs(latestFirst: Date[], most: number, windowMs: number, now: Date): number {
  const decisive = latestFirst[most - 1];
  return decisive ? Math.max(0, decisive.getTime() + windowMs - now.getTime()) : 0;
}
