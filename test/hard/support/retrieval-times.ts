import type { Client } from '../../support/client.js';
import { allAtOnce } from '../../support/concurrent-calls.js';
import { paceOf } from './pace.js';

/** Each reader retrieves its own push again and again until `isOver`; returns the durations in milliseconds. */
export async function retrievalTimes(
  client: Client,
  { readers, isOver }: { readers: number; isOver: () => boolean },
): Promise<number[]> {
  const times = await allAtOnce(readers, async () => {
    const { url_token } = await client.push({ payload: 'rose', expire_after_views: 1_000_000 });
    return paceOf(async () => {
      const { body } = await client.retrieve(url_token);
      if (body.payload !== 'rose') throw new Error(JSON.stringify(body));
    }, isOver);
  });
  return times.flat();
}

/** Returns a check that becomes true after that many milliseconds from now. */
export function within(milliseconds: number): () => boolean {
  const endsAt = performance.now() + milliseconds;
  return () => performance.now() > endsAt;
}
