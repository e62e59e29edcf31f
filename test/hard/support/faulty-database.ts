import type { Socket } from 'node:net';
import type { DataSource, QueryRunner } from 'typeorm';
import { QueryFailedError } from 'typeorm';
import type { executeOnMysql } from '../../../src/platform/database/mysql/execute-on-mysql.js';
import type { executeTogether } from '../../../src/platform/database/postgres/execute-on-postgres.js';
import type { executeOnSqlite } from '../../../src/platform/database/sqlite/execute-on-sqlite.js';
import { engine } from '../../support/engine.js';
import { eventually } from '../../support/eventually.js';
import type { OtherConnection } from '../../support/other-connection.js';
import { FaultInjector } from './fault-injector.js';

/** A statement that is about to be sent; `run` sends it. */
interface Statement {
  sql: string;
  runner: QueryRunner;
  run: () => Promise<unknown>;
  /** Sends another statement, which is not recorded. */
  runInstead: (sql: string) => Promise<unknown>;
}

/** A way in which a statement can fail. */
export interface DatabaseFault {
  name: string;
  /** Whether the statement may have taken effect although it failed. */
  mayHaveTakenEffect: boolean;
  apply(statement: Statement, other: OtherConnection): Promise<unknown>;
  /** The same for a statement sent to SQLite without TypeORM; always throws. */
  applyOnSqlite?(run: () => unknown, rollBack: () => void): never;
}

type Query = (this: QueryRunner, sql: string, ...rest: unknown[]) => Promise<unknown>;

type ExecuteOnServer = typeof executeOnMysql;
type ExecuteTogether = typeof executeTogether;
type ExecuteOnSqlite = typeof executeOnSqlite;

let inUse: FaultyDatabase | undefined;

/** Wraps what executes a statement on a server, bypassing TypeORM's `query()`. */
export function withInjectedFaults(execute: ExecuteOnServer): ExecuteOnServer {
  return (runner, sql, values) => {
    const send = () => execute(runner, sql, values);
    return inUse ? (inUse.intercept(runner, sql, send) as ReturnType<ExecuteOnServer>) : send();
  };
}

/** The same for several statements at once, which fail together. */
export function withInjectedFaultsTogether(execute: ExecuteTogether): ExecuteTogether {
  return (runner, list) => {
    const send = () => execute(runner, list);
    const sql = list.map((statement) => statement.sql).join('; ');
    return inUse ? (inUse.intercept(runner, sql, send) as ReturnType<ExecuteTogether>) : send();
  };
}

/** Wraps `executeOnSqlite`, which is synchronous. */
export function withInjectedFaultsOnSqlite(execute: ExecuteOnSqlite): ExecuteOnSqlite {
  return (dataSource, sql, values) => {
    const send = () => execute(dataSource, sql, values);
    const fault = inUse?.record(sql);
    if (!fault) return send();
    fault.applyOnSqlite?.(send, () => {
      try {
        execute(dataSource, FAIL_AND_ROLL_BACK, []);
      } catch {
        // expected
      }
    });
    throw new Error('applyOnSqlite must throw');
  };
}

/** Injects faults between the app and its database driver. */
export class FaultyDatabase extends FaultInjector<DatabaseFault> {
  private readonly runners: { query: Query };
  private readonly query: Query;

  constructor(
    dataSource: DataSource,
    private readonly other: OtherConnection,
  ) {
    super();
    this.runners = Object.getPrototypeOf(dataSource.createQueryRunner());
    const query = (this.query = this.runners.query);
    const intercept = this.intercept.bind(this);
    this.runners.query = function (sql, ...rest) {
      return intercept(this, sql, () => query.call(this, sql, ...rest));
    };
    inUse = this; // oxlint-disable-line typescript/no-this-alias -- one at a time
  }

  restore(): void {
    this.runners.query = this.query;
    inUse = undefined;
  }

  intercept(runner: QueryRunner, sql: string, run: () => Promise<unknown>): Promise<unknown> {
    const runInstead = (instead: string) => this.query.call(runner, instead);
    const fault = this.record(sql);
    return fault ? fault.apply({ sql, runner, run, runInstead }, this.other) : run();
  }
}

function failure(sql: string, code: string, isFatal = false): QueryFailedError {
  return new QueryFailedError(
    sql,
    [],
    Object.assign(new Error(`injected ${code}`), { code, fatal: isFatal }),
  );
}

/** Makes the server close a connection, and waits until the client notices: earlier statements may still be executed. */
async function kill(runner: QueryRunner, other: OtherConnection): Promise<void> {
  const connection = (await runner.connect()) as { threadId: number; processID: number; stream: Socket };
  const { threadId, processID, stream } = connection;
  await other.query(
    engine.name === 'postgres' ? `SELECT pg_terminate_backend(${processID}, 10000)` : `KILL ${threadId}`,
  );
  await eventually(() => stream.destroyed);
}

/** Always fails, and rolls the transaction back, if there is one. */
const FAIL_AND_ROLL_BACK = 'INSERT OR ROLLBACK INTO master_keys SELECT * FROM master_keys';

const ON_SQLITE: DatabaseFault[] = [
  {
    name: 'full disk',
    mayHaveTakenEffect: false,
    apply: async ({ sql, runInstead }) => {
      await runInstead(FAIL_AND_ROLL_BACK).catch(() => undefined); // as SQLite itself does in this case
      throw failure(sql, 'SQLITE_FULL');
    },
    applyOnSqlite: (_run, rollBack) => {
      rollBack();
      throw failure('', 'SQLITE_FULL');
    },
  },
  {
    name: 'broken disk',
    mayHaveTakenEffect: false,
    apply: ({ sql }) => Promise.reject(failure(sql, 'SQLITE_IOERR_WRITE')),
    applyOnSqlite: () => {
      throw failure('', 'SQLITE_IOERR_WRITE');
    },
  },
  {
    name: 'lost response',
    mayHaveTakenEffect: true,
    apply: async ({ sql, run }) => {
      await run();
      throw failure(sql, 'SQLITE_IOERR_FSYNC');
    },
    applyOnSqlite: (run) => {
      run();
      throw failure('', 'SQLITE_IOERR_FSYNC');
    },
  },
];

/** The codes of these errors. */
const CODES =
  engine.name === 'postgres'
    ? { full: '53100', lost: 'ECONNRESET', deadlock: '40P01', commit: '40001' }
    : {
        full: 'ER_RECORD_FILE_FULL',
        lost: 'PROTOCOL_CONNECTION_LOST',
        deadlock: 'ER_LOCK_DEADLOCK',
        commit: 'ER_ERROR_DURING_COMMIT',
      };

const ON_SERVERS: DatabaseFault[] = [
  {
    name: 'full disk',
    mayHaveTakenEffect: false,
    apply: ({ sql }) => Promise.reject(failure(sql, CODES.full)),
  },
  {
    name: 'killed connection',
    mayHaveTakenEffect: false,
    apply: async ({ runner, run }, other) => {
      await kill(runner, other);
      return run();
    },
  },
  {
    name: 'lost response',
    mayHaveTakenEffect: true,
    apply: async ({ sql, runner, run }, other) => {
      await run();
      await kill(runner, other);
      throw failure(sql, CODES.lost, true);
    },
  },
  {
    name: 'deadlock or failed commit',
    mayHaveTakenEffect: false,
    apply: async ({ sql, runInstead }) => {
      await runInstead('ROLLBACK'); // as the server itself does in this case
      throw failure(sql, sql === 'COMMIT' ? CODES.commit : CODES.deadlock);
    },
  },
];

export const FAULTS = engine.url === undefined ? ON_SQLITE : ON_SERVERS;
