import { hash } from 'node:crypto';
import type { Connection, Submittable } from 'pg';
import type { RawRow, StatementResult } from '../engine/engine.js';
import type { Statement } from '../transactions/unit-of-work.js';
import { marked } from './fatal-errors.js';
import { decoderOf, encoded } from './values.js';

/** With the name of the command that was executed, which is ROLLBACK for a COMMIT of a transaction that has failed. */
export interface CommandResult extends StatementResult {
  command: string;
}

interface Column {
  name: string;
  decode: (text: string) => unknown;
}

/** What a connection has prepared, by the name of the statement: the columns of its rows. */
const preparedOn = new WeakMap<Connection, Map<string, Column[]>>();

interface Prepared {
  /** Empty for a statement that is analysed anew each time. */
  name: string;
  /** With `$1` where ours have `?`. */
  text: string;
}

const statements = new Map<string, Prepared>();
/** More than all paths have. Each takes some kilobytes on every connection. */
const MAX_STATEMENTS = 1000;

/**
 * The name of a statement is a digest of its text: should two connections get the same session of the server, such as behind
 * a pooler that was not recognized, a name never stands for another statement there. One too many has none.
 */
function preparedFor(sql: string): Prepared {
  let prepared = statements.get(sql);
  if (!prepared) {
    const text = numbered(sql);
    const isFull = statements.size >= MAX_STATEMENTS;
    prepared = { name: isFull ? '' : hash('sha256', text, 'base64url'), text };
    if (!isFull) statements.set(sql, prepared);
  }
  return prepared;
}

/** TypeORM has numbered the placeholders of its statements already. */
function numbered(sql: string): string {
  let count = 0;
  return /\$\d/.test(sql) ? sql : sql.replaceAll('?', () => `$${++count}`);
}

interface Sent extends Prepared {
  values: (string | Buffer | null)[];
}

/** What the server reports a statement with that it does not know by its name. */
const NOT_PREPARED = '26000';

/** The server's function that finds that the rows of a prepared statement are not what they were, and has no code of its own. */
const FINDS_CHANGED_ROWS = 'RevalidateCachedQuery';

/**
 * Statements that are sent at once, in one round trip. Unless a transaction is open, they are one of their own: all of them
 * are committed, or none when one fails, after which the others are not executed.
 */
export class Message implements Submittable {
  private readonly list: Sent[];
  private readonly results: CommandResult[] = [];
  private columns: Column[] | undefined;
  private rows: RawRow[] = [];
  private readonly described: (Column[] | undefined)[] = [];
  private known = new Map<string, Column[]>();

  /** Called by pg when the message cannot be sent, or fails. */
  readonly callback = undefined;

  /**
   * @param isPrepared whether the connection keeps the statements; otherwise each is analysed anew
   * @param settle gets the results in the order of the statements, or the error
   */
  constructor(
    list: Statement[],
    isPrepared: boolean,
    private readonly settle: (error: Error | null, results: CommandResult[]) => void,
  ) {
    this.list = list.map(({ sql, values }) => {
      const { name, text } = preparedFor(sql);
      return { name: isPrepared ? name : '', text, values: values.map(encoded) };
    });
  }

  submit(connection: Connection): null {
    let known = preparedOn.get(connection);
    if (!known) preparedOn.set(connection, (known = new Map<string, Column[]>()));
    this.known = known;
    const parsed = new Set<string>();
    connection.stream.cork();
    for (const statement of this.list) this.send(connection, statement, parsed);
    connection.sync();
    connection.stream.uncork();
    return null;
  }

  /** @param parsed names of statements that this message has prepared before */
  private send(connection: Connection, { name, text, values }: Sent, parsed: Set<string>): void {
    const columns = name === '' ? undefined : this.known.get(name);
    this.described.push(columns);
    if (!columns && !parsed.has(name)) {
      if (name !== '') {
        connection.close({ type: 'S', name }, true); // it may be there after an error
        parsed.add(name);
      }
      connection.parse({ name, text, types: [] }, true);
    }
    connection.bind({ statement: name, values }, true);
    if (!columns) connection.describe({ type: 'P', name: '' }, true);
    connection.execute({ portal: '' }, true);
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    this.columns = fields.map(({ name, dataTypeID }) => ({ name, decode: decoderOf(dataTypeID) }));
    this.described[this.results.length] = this.columns;
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const columns = this.columns ?? this.described[this.results.length] ?? [];
    const row: RawRow = {};
    for (let index = 0; index < columns.length; index++) {
      const { name, decode } = columns[index] as Column;
      const text = fields[index];
      row[name] = text === null || text === undefined ? null : decode(text);
    }
    this.rows.push(row);
  }

  /** @param text such as `UPDATE 1` or `INSERT 0 1` */
  handleCommandComplete({ text }: { text: string }): void {
    const [command = ''] = text.split(' ', 1);
    const changesRows = command === 'INSERT' || command === 'UPDATE' || command === 'DELETE';
    const affected = changesRows ? Number(text.slice(text.lastIndexOf(' '))) : 0;
    this.results.push({ rows: this.rows, affected, command });
    this.rows = [];
    this.columns = undefined;
  }

  /** @throws Error when not each statement was answered: then it is not known what was executed */
  handleReadyForQuery(): void {
    if (this.results.length !== this.list.length) {
      const error = new Error('The server has not answered each statement');
      this.settle(marked(error), []);
      throw error;
    }
    this.list.forEach(({ name }, index) => {
      if (name !== '') this.known.set(name, this.described[index] ?? []);
    });
    this.settle(null, this.results);
  }

  handleError(error: Error & { code?: string; routine?: string }): void {
    for (const { name } of this.list) this.known.delete(name);
    if (error.routine === FINDS_CHANGED_ROWS) error.code = NOT_PREPARED;
    this.settle(marked(error), []);
  }
}

/** Whether the server has forgotten a statement, or another process has changed its table: it is prepared again next time. */
export function isNotPrepared(error: unknown): boolean {
  return (error as { code?: unknown }).code === NOT_PREPARED;
}
