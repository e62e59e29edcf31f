import type { Settings } from '../../settings/settings.js';
import { MINUTE_MS } from '../../settings/units.js';

export const CONNECT_TIMEOUT_MS = 10_000;

/** How long nothing may be received on a connection that is in use; longer than a statement waits for a lock. */
export const MAX_WAIT_MS = 10_000;

/** A connection that has been idle for longer is used once the server answers on it. */
export const CHECK_AFTER_MS = 500;
export const ANSWER_WITHIN_MS = 2000;

/** Many firewalls and load balancers forget an idle connection after 4 to 15 minutes, without telling either end. */
export const IDLE_TIMEOUT_MS = 3 * MINUTE_MS;
export const KEEP_ALIVE_AFTER_MS = MINUTE_MS;

/** How many rows are read at a time by a job that reads all. */
export const ROWS_AT_ONCE = 5000;

/**
 * What will not work when a server accepts fewer connections than all workers may open.
 * @param limits by what sets them; only positive ones are limits
 */
export function connectionsWarning(
  limits: Record<string, number>,
  { DATABASE_POOL_SIZE, WORKERS }: Pick<Settings, 'DATABASE_POOL_SIZE' | 'WORKERS'>,
): string | undefined {
  const most = DATABASE_POOL_SIZE * WORKERS;
  const tooFew = Object.entries(limits).find(([, limit]) => limit > 0 && limit < most);
  if (!tooFew) return undefined;
  const opened = `DATABASE_POOL_SIZE ${DATABASE_POOL_SIZE} × WORKERS ${WORKERS}`;
  return `The database server has ${tooFew[0]} = ${tooFew[1]}, and this service may open ${most} connections (${opened}): those beyond fail. Raise the one, or lower the others`;
}
