import type { Client } from './client.js';

/** The kinds of all audit entries of a push, oldest first. */
export async function auditKinds(owner: Client, urlToken: string): Promise<string[]> {
  const kinds: string[] = [];
  for (let page = 1; ; page++) {
    const { status, body } = await owner.get(`/api/v2/pushes/${urlToken}/audit?page=${page}`);
    if (status !== 200) throw new Error(`no audit log: ${status}`);
    if (body.logs.length === 0) return kinds;
    kinds.push(...body.logs.map((entry: { kind: string }) => entry.kind));
  }
}

/** Counts how often each value occurs. */
export function tally(values: readonly (string | number)[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}
