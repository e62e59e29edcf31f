import type { PoolConnection } from 'mysql2';
import { WriteTooLarge } from '../errors/write-too-large.js';

/** Bytes of a packet besides the values, and of each value besides its content. */
const OVERHEAD = 64;
const OVERHEAD_OF_VALUE = 16;

/**
 * Fails statements that are too large for the server with `WriteTooLarge`, without sending them.
 * @param limit bytes that the server accepted at the start
 */
export function limitWrites(connection: PoolConnection, limit: number): void {
  const query = connection.query.bind(connection) as (...args: unknown[]) => unknown;
  const execute = connection.execute.bind(connection) as (...args: unknown[]) => unknown;
  const unlessTooLarge =
    (send: typeof query, sizeOf: (sql: string, values: unknown) => number) =>
    (...args: unknown[]) => {
      const [sql, values] = args;
      const done = args.at(-1);
      if (typeof sql !== 'string' || typeof done !== 'function' || sizeOf(sql, values) < limit)
        return send(...args);
      process.nextTick(done, new WriteTooLarge(limit));
    };
  connection.execute = unlessTooLarge(execute, (_sql, values) => OVERHEAD + bytesOf(values)) as never;
  connection.query = unlessTooLarge(query, (sql, values) => {
    const most = OVERHEAD + 4 * sql.length + 4 * bytesOf(values); // texts are escaped, and bytes become hexadecimal digits
    return most < limit ? most : OVERHEAD + Buffer.byteLength(connection.format(sql, values));
  }) as never;
}

function bytesOf(values: unknown): number {
  if (!Array.isArray(values)) return 0;
  return values.reduce<number>((sum, value) => sum + OVERHEAD_OF_VALUE + lengthOf(value), 0);
}

function lengthOf(value: unknown): number {
  if (Buffer.isBuffer(value)) return value.length;
  if (typeof value === 'string') return Buffer.byteLength(value);
  return Array.isArray(value) ? bytesOf(value) : OVERHEAD_OF_VALUE; // a date or a number
}
