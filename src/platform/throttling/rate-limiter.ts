/** Limits the requests of each key in a time window that begins with the key's first request. */
export abstract class RateLimiter {
  /**
   * Counts a request; each window allows `limit` of them. Returns for how many milliseconds the client has to wait, 0
   * when the request is allowed.
   */
  abstract hit(key: string, limit: number): number | Promise<number>;
}
