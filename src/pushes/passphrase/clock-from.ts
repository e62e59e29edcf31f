/** A clock that starts at `now`. */
export function clockFrom(now: Date): () => Date {
  const startedAt = performance.now();
  return () => new Date(now.getTime() + Math.floor(performance.now() - startedAt));
}
