import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { createServer } from 'node:net';
import { isUnavailable, mayHaveCommitted } from '../../src/platform/database/errors/database-error.js';
import type { CommandResult } from '../../src/platform/database/postgres/message.js';
import { Message } from '../../src/platform/database/postgres/message.js';
import type { ServerConnection } from '../../src/platform/database/postgres/server-pool.js';
import { ServerPool } from '../../src/platform/database/postgres/server-pool.js';
import { command } from '../support/command.js';
import { forAllTests, forThisTest } from '../support/for-tests.js';
import { makeSqliteInstance } from '../support/instance.js';

/** A message of the protocol of PostgreSQL. */
function message(type: string, ...parts: (string | number | Buffer)[]): Buffer {
  const body = Buffer.concat(
    parts.map((part) => {
      if (Buffer.isBuffer(part)) return part;
      if (typeof part === 'string') return Buffer.from(`${part}\0`);
      const number = Buffer.alloc(4);
      number.writeInt32BE(part);
      return number;
    }),
  );
  const head = Buffer.alloc(5, type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const READY = message('Z', Buffer.from('I'));
const GREETING = Buffer.concat([message('R', 0), message('K', 1, 2), READY]);
const ASKS_FOR_GSSAPI = message('R', 7);
const NOTICE = message('N', Buffer.from('SNOTICE\0C00000\0Mtulip\0\0'));
const completed = (tag: string) => message('C', tag);

/** Answers what a client sends, one answer for each time. The last one is repeated. Its connections stay open. */
async function startServer(...answers: (Buffer | ((socket: Socket) => void))[]) {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const left = [...answers];
    sockets.add(socket);
    socket
      .on('error', () => undefined)
      .on('data', () => {
        const answer = left.length > 1 ? left.shift() : left[0];
        if (typeof answer === 'function') answer(socket);
        else if (answer) socket.write(answer);
      });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** As fast as it is read. */
function endless(bytes: Buffer): (socket: Socket) => void {
  const many = Buffer.concat(Array<Buffer>(1000).fill(bytes));
  return (socket) => {
    const more = (): void => {
      while (!socket.destroyed && socket.write(many));
    };
    socket.on('drain', more);
    more();
  };
}

describe('A server that does not follow the protocol of PostgreSQL', () => {
  const data = forAllTests(makeSqliteInstance);

  it.each<[string, string, (Buffer | ((socket: Socket) => void))[], string]>([
    ['asks for GSSAPI', 'sslmode=disable', [ASKS_FOR_GSSAPI], 'Unknown authenticationOk message type 7'],
    [
      'has no encryption, and keeps the connection',
      'sslmode=require',
      [Buffer.from('N')],
      'The server does not support SSL connections',
    ],
    [
      'sends more than the beginning of encryption in clear (CVE-2021-23222)',
      'sslmode=require',
      [Buffer.concat([Buffer.from('S'), GREETING])],
      'There was an error establishing an SSL connection',
    ],
    [
      'sends notices without an end',
      'sslmode=disable',
      [endless(NOTICE)],
      'The server does not finish its greeting',
    ],
    ['does not answer', 'sslmode=disable&connect_timeout=1', [Buffer.alloc(0)], 'timeout expired'],
    ['answers a query with nothing', 'sslmode=disable', [GREETING, READY], 'no answer'],
    ['sends a message that ends too early', 'sslmode=disable', [message('R')], 'ERR_OUT_OF_RANGE'],
  ])('that %s lets the start fail in a sentence', async (_what, parameters, answers, reason) => {
    const server = await forThisTest(startServer(...answers));
    const where = `127.0.0.1:${server.port}/x`;
    const DATABASE_URL = `postgresql://geheim:geheim@${where}?${parameters}`;
    const { code, stderr } = await command({ ...data, env: { ...data.env, DATABASE_URL } }, ['pushes:purge']);

    expect([code, stderr]).toEqual([1, `sealpush: The database at ${where} cannot be used (${reason}).\n`]);
  });

  const openPool = async (...answers: Buffer[]) => {
    const { port, stop } = await forThisTest(startServer(GREETING, ...answers));
    const servers = [{ host: '127.0.0.1', port }];
    const pool = new ServerPool({ servers, user: 'u', password: () => 'p', isPooled: false, max: 1 });
    pool.on('error', () => undefined);
    return { pool, stop };
  };

  const send = (pool: ServerPool, ...statements: string[]): Promise<CommandResult[]> =>
    new Promise((resolve, reject) => {
      pool.connect((error, connection, release) => {
        if (error) reject(error);
        const list = statements.map((sql) => ({ sql, values: [] }));
        const settle = (failure: Error | null, results: CommandResult[]) => {
          if (failure) reject((connection as ServerConnection).noted(failure));
          else resolve(results);
          release();
        };
        connection?.send(new Message(list, true, settle));
      });
    });

  it.each([
    ['answers fewer statements than it was sent', Buffer.concat([completed('INSERT 0 1'), READY])],
    ['answers with the result of an empty statement', Buffer.concat([message('I'), READY])],
    ['suspends a result', Buffer.concat([message('s'), READY])],
    ['asks for data', message('G', Buffer.from([0, 0, 0]))],
    ['asks for another login', ASKS_FOR_GSSAPI],
    ['sends a message of no known kind', message('?')],
    ['sends a message that ends too early', message('D', Buffer.from([0, 2, 0]))],
  ])('that %s loses the connection, and nothing counts as done', async (_what, answer) => {
    const { pool } = await openPool(answer);
    const error: unknown = await send(pool, 'INSERT INTO a', 'INSERT INTO b').catch(
      (reason: unknown) => reason,
    );

    expect([isUnavailable(error), mayHaveCommitted(error)]).toEqual([true, true]);
    expect(pool.idleCount).toBe(0);
    await pool.end();
  });

  it('that sends many notices, and settings of the session, is understood', async () => {
    const many = Buffer.concat([
      ...Array<Buffer>(1000).fill(NOTICE),
      message('S', '__proto__', 'tulip'),
      completed('INSERT 0 1'),
      NOTICE,
      completed('UPDATE 2'),
      READY,
    ]);
    const { pool } = await openPool(many);

    expect(await send(pool, 'INSERT INTO a', 'UPDATE b')).toEqual([
      { rows: [], affected: 1, command: 'INSERT' },
      { rows: [], affected: 2, command: 'UPDATE' },
    ]);
    await pool.end();
  });
});
