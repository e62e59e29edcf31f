import type { Socket } from 'node:net';
import type { DataSource, QueryRunner } from 'typeorm';
import { QueryFailedError } from 'typeorm';
import type { executeOnSqlite, runStatement } from '../../../src/database/statements.js';
import { engine } from '../../support/engine.js';
import { eventually } from '../../support/eventually.js';
import type { OtherConnection } from '../../support/other-connection.js';
import { FaultInjector } from './fault-injector.js';

/** A statement on its way: `run` sends it. */
interface Statement {
  sql: string;
  runner: QueryRunner;
  run: () => Promise<unknown>;
  /** Sends another one, which nobody counts. */
  runInstead: (sql: string) => Promise<unknown>;
}

/** What can happen to a statement. */
export interface InjectedFault {
  name: string;
  /** Whether it may have taken effect although it failed. */
  isAnswerLost: boolean;
  apply(statement: Statement, other: OtherConnection): Promise<unknown>;
  /** The same for a statement that is sent on SQLite without TypeORM; always throws. */
  applyOnSqlite?(run: () => unknown, takeAlong: () => void): never;
}

type Query = (this: QueryRunner, sql: string, ...rest: unknown[]) => Promise<unknown>;

type RunStatement = typeof runStatement;
type ExecuteOnSqlite = typeof executeOnSqlite;

let inUse: FaultyDatabase | undefined;

/** What takes the place of `runStatement`, which goes past TypeORM's `query()`. */
export function throughFaultInjector(run: RunStatement): RunStatement {
  return (runner, sql, values) => {
    const send = () => run(runner, sql, values);
    return inUse ? (inUse.meet(runner, sql, send) as ReturnType<RunStatement>) : send();
  };
}

/** What takes the place of `executeOnSqlite`, which answers before it returns. */
export function throughFaultInjectorOnSqlite(execute: ExecuteOnSqlite): ExecuteOnSqlite {
  return (dataSource, sql, values) => {
    const send = () => execute(dataSource, sql, values);
    const injected = inUse?.pass(sql);
    if (!injected) return send();
    injected.applyOnSqlite?.(send, () => {
      try {
        execute(dataSource, TAKE_ALONG, []);
      } catch {
        // it is meant to fail
      }
    });
    throw new Error('a injected on SQLite fails');
  };
}

/** Stands between the app and its driver. */
export class FaultyDatabase extends FaultInjector<InjectedFault> {
  private readonly runners: { query: Query };
  private readonly query: Query;

  constructor(
    dataSource: DataSource,
    private readonly other: OtherConnection,
  ) {
    super();
    this.runners = Object.getPrototypeOf(dataSource.createQueryRunner());
    const query = (this.query = this.runners.query);
    const meet = this.meet.bind(this);
    this.runners.query = function (sql, ...rest) {
      return meet(this, sql, () => query.call(this, sql, ...rest));
    };
    inUse = this; // eslint-disable-line @typescript-eslint/no-this-alias -- one at a time
  }

  restore(): void {
    this.runners.query = this.query;
    inUse = undefined;
  }

  meet(runner: QueryRunner, sql: string, run: () => Promise<unknown>): Promise<unknown> {
    const runInstead = (instead: string) => this.query.call(runner, instead);
    const injected = this.pass(sql);
    return injected ? injected.apply({ sql, runner, run, runInstead }, this.other) : run();
  }
}

function failure(sql: string, code: string, isFatal = false): QueryFailedError {
  return new QueryFailedError(
    sql,
    [],
    Object.assign(new Error(`injected ${code}`), { code, fatal: isFatal }),
  );
}

/** Ends a connection by the server, and waits until it is heard here: what is sent before may be done all the same. */
async function kill(runner: QueryRunner, other: OtherConnection): Promise<void> {
  const { threadId, stream } = (await runner.connect()) as { threadId: number; stream: Socket };
  await other.query(`KILL ${threadId}`);
  await eventually(() => stream.destroyed);
}

/** Fails for good, and takes the transaction along, if there is one. */
const TAKE_ALONG = 'INSERT OR ROLLBACK INTO master_keys SELECT * FROM master_keys';

const ON_SQLITE: InjectedFault[] = [
  {
    name: 'full disk',
    isAnswerLost: false,
    apply: async ({ sql, runInstead }) => {
      await runInstead(TAKE_ALONG).catch(() => undefined); // as SQLite itself does then
      throw failure(sql, 'SQLITE_FULL');
    },
    applyOnSqlite: (_run, takeAlong) => {
      takeAlong();
      throw failure('', 'SQLITE_FULL');
    },
  },
  {
    name: 'broken disk',
    isAnswerLost: false,
    apply: ({ sql }) => Promise.reject(failure(sql, 'SQLITE_IOERR_WRITE')),
    applyOnSqlite: () => {
      throw failure('', 'SQLITE_IOERR_WRITE');
    },
  },
  {
    name: 'lost answer',
    isAnswerLost: true,
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

const ON_SERVERS: InjectedFault[] = [
  {
    name: 'full disk',
    isAnswerLost: false,
    apply: ({ sql }) => Promise.reject(failure(sql, 'ER_RECORD_FILE_FULL')),
  },
  {
    name: 'killed connection',
    isAnswerLost: false,
    apply: async ({ runner, run }, other) => {
      await kill(runner, other);
      return run();
    },
  },
  {
    name: 'lost answer',
    isAnswerLost: true,
    apply: async ({ sql, runner, run }, other) => {
      await run();
      await kill(runner, other);
      throw failure(sql, 'PROTOCOL_CONNECTION_LOST', true);
    },
  },
  {
    name: 'lost race',
    isAnswerLost: false,
    apply: async ({ sql, runInstead }) => {
      await runInstead('ROLLBACK'); // as the server itself does then
      throw failure(sql, sql === 'COMMIT' ? 'ER_ERROR_DURING_COMMIT' : 'ER_LOCK_DEADLOCK');
    },
  },
];

export const FAULTS = engine.url === undefined ? ON_SQLITE : ON_SERVERS;
