const NAME = 'mailed';

/** The query of a page that says how many recipients get a link by mail; empty for none. */
export function mailedQuery(count: number): string {
  return count === 0 ? '' : `?${NAME}=${count}`;
}

/** How many recipients the query of a page has; 0 for anything else. */
export function mailedIn(query: Record<string, unknown>): number {
  const count = query[NAME];
  return typeof count === 'string' && /^[1-9]$/.test(count) ? Number(count) : 0;
}
