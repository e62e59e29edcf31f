import type { RowDataPacket } from 'mysql2';
import { createConnection } from 'mysql2/promise';

/** Runs a statement as root on the server of this port. */
export async function query(port: number, statement: string): Promise<RowDataPacket[]> {
  const connection = await createConnection(`mysql://root@127.0.0.1:${port}`);
  try {
    const [rows] = await connection.query<RowDataPacket[]>(statement);
    return rows;
  } finally {
    connection.destroy();
  }
}
