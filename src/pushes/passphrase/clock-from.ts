/** A clock that stands at `now` and goes on from there. */
export function clockFrom(now: Date): () => Date {
  const startedAt = performance.now();
  return () => new Date(now.getTime() + Math.floor(performance.now() - startedAt));
}
