import type { DataSource } from 'typeorm';

/** The internal state of mysql2's pool, which has no public API. */
interface PoolState {
  _allConnections?: { length: number };
  _freeConnections?: { length: number };
  _connectionQueue?: { length: number };
}

/** The number of connections to a database server by state; none for SQLite, which has no pool. */
export function connectionsOf({ options, driver }: DataSource): Record<string, number> {
  if (options.type === 'better-sqlite3') return {};

  const { pool = {} } = driver as unknown as { pool?: PoolState };
  const { _allConnections: all, _freeConnections: free, _connectionQueue: queue } = pool;
  const open = all?.length ?? 0;
  const idle = free?.length ?? 0;
  return { busy: open - idle, idle, awaited: queue?.length ?? 0 };
}
