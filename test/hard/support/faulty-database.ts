import type { DataSource, QueryRunner } from 'typeorm';
import { QueryFailedError } from 'typeorm';
import { engine } from '../../support/engine.js';
import type { OtherConnection } from '../../support/other-connection.js';

/** A statement on its way: `run` sends it. */
interface Statement {
  sql: string;
  runner: QueryRunner;
  run: () => Promise<unknown>;
  /** Sends another one, which nobody counts. */
  runInstead: (sql: string) => Promise<unknown>;
}

/** What can happen to a statement. */
export interface Mishap {
  name: string;
  /** Whether it may have taken effect although it failed. */
  isAnswerLost: boolean;
  befall(statement: Statement, other: OtherConnection): Promise<unknown>;
}

type Query = (this: QueryRunner, sql: string, ...rest: unknown[]) => Promise<unknown>;

/** Stands between the app and its driver: counts statements, and lets one of them meet with a mishap. */
export class FaultyDatabase {
  private readonly runners: { query: Query };
  private readonly query: Query;
  private statements: string[] = [];
  private awaited?: { index: number; mishap: Mishap };

  constructor(
    dataSource: DataSource,
    private readonly other: OtherConnection,
  ) {
    this.runners = Object.getPrototypeOf(dataSource.createQueryRunner());
    const query = (this.query = this.runners.query);
    const meet = (statement: Statement) => this.meet(statement);
    this.runners.query = function (sql, ...rest) {
      const run = () => query.call(this, sql, ...rest);
      return meet({ sql, runner: this, run, runInstead: (instead) => query.call(this, instead) });
    };
  }

  /** The statements that some work comes down to. */
  async statementsOf(work: () => Promise<unknown>): Promise<string[]> {
    this.statements = [];
    await work();
    return this.statements;
  }

  /** Does the work, in which the statement of this index, counted from 0, has a mishap. */
  async withMishap<T>(index: number, mishap: Mishap, work: () => Promise<T>): Promise<T> {
    this.statements = [];
    this.awaited = { index, mishap };
    try {
      return await work();
    } finally {
      this.awaited = undefined;
    }
  }

  restore(): void {
    this.runners.query = this.query;
  }

  private meet(statement: Statement): Promise<unknown> {
    const index = this.statements.push(statement.sql) - 1;
    if (this.awaited?.index !== index) return statement.run();
    const { mishap } = this.awaited;
    this.awaited = undefined;
    return mishap.befall(statement, this.other);
  }
}

function failure(sql: string, code: string, isFatal = false): QueryFailedError {
  return new QueryFailedError(
    sql,
    [],
    Object.assign(new Error(`injected ${code}`), { code, fatal: isFatal }),
  );
}

async function kill(runner: QueryRunner, other: OtherConnection): Promise<void> {
  const { threadId } = (await runner.connect()) as { threadId: number };
  await other.query(`KILL ${threadId}`);
}

/** Fails for good, and takes the transaction along, if there is one. */
const TAKE_ALONG = 'INSERT OR ROLLBACK INTO master_keys SELECT * FROM master_keys';

const ON_SQLITE: Mishap[] = [
  {
    name: 'full disk',
    isAnswerLost: false,
    befall: async ({ sql, runInstead }) => {
      await runInstead(TAKE_ALONG).catch(() => undefined); // as SQLite itself does then
      throw failure(sql, 'SQLITE_FULL');
    },
  },
  {
    name: 'broken disk',
    isAnswerLost: false,
    befall: ({ sql }) => Promise.reject(failure(sql, 'SQLITE_IOERR_WRITE')),
  },
  {
    name: 'lost answer',
    isAnswerLost: true,
    befall: async ({ sql, run }) => {
      await run();
      throw failure(sql, 'SQLITE_IOERR_FSYNC');
    },
  },
];

const ON_SERVERS: Mishap[] = [
  {
    name: 'full disk',
    isAnswerLost: false,
    befall: ({ sql }) => Promise.reject(failure(sql, 'ER_RECORD_FILE_FULL')),
  },
  {
    name: 'killed connection',
    isAnswerLost: false,
    befall: async ({ runner, run }, other) => {
      await kill(runner, other);
      return run();
    },
  },
  {
    name: 'lost answer',
    isAnswerLost: true,
    befall: async ({ sql, runner, run }, other) => {
      await run();
      await kill(runner, other);
      throw failure(sql, 'PROTOCOL_CONNECTION_LOST', true);
    },
  },
  {
    name: 'lost race',
    isAnswerLost: false,
    befall: async ({ sql, runInstead }) => {
      await runInstead('ROLLBACK'); // as the server itself does then
      throw failure(sql, sql === 'COMMIT' ? 'ER_ERROR_DURING_COMMIT' : 'ER_LOCK_DEADLOCK');
    },
  },
];

export const MISHAPS = engine.url === undefined ? ON_SQLITE : ON_SERVERS;
