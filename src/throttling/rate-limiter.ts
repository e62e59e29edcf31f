/** Limits the requests of each key: so many in a window of time that begins with the key's first request. */
export abstract class RateLimiter {
  /**
   * Counts a request, of which there may be `limit` in a window. Returns for how many milliseconds its sender has to
   * wait, 0 when the request may pass.
   */
  abstract hit(key: string, limit: number): number | Promise<number>;
}
