import { tally } from './audit-kinds.js';
import type { ClientResponse } from './client.js';

/** The results of `count` concurrent calls. */
export function allAtOnce<T>(count: number, call: (caller: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, caller) => call(caller)));
}

/** Counts retrievals by outcome: `shown` with the payload, `expired` without, otherwise the status. */
export function outcomes(responses: ClientResponse[], payload: string): Record<string, number> {
  return tally(
    responses.map(({ status, body }) => {
      if (status === 200 && body.payload === payload && !body.expired) return 'shown';
      if (status === 200 && body.payload === null && body.expired) return 'expired';
      return String(status);
    }),
  );
}
