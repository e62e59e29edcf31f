import type { DataSource } from 'typeorm';

/** What mysql2 keeps of its pool; it has no public names for it. */
interface PoolState {
  _allConnections?: { length: number };
  _freeConnections?: { length: number };
  _connectionQueue?: { length: number };
}

/** How the connections to a database server are used; SQLite has just the one. */
export function connectionsOf({ options, driver }: DataSource): Record<string, number> {
  if (options.type === 'better-sqlite3') return {};

  const { pool = {} } = driver as unknown as { pool?: PoolState };
  const { _allConnections: all, _freeConnections: free, _connectionQueue: queue } = pool;
  const open = all?.length ?? 0;
  const idle = free?.length ?? 0;
  return { busy: open - idle, idle, awaited: queue?.length ?? 0 };
}
