import type { EntityManager, QueryRunner } from 'typeorm';
import { runStatement } from './statements.js';

/** What is kept together: new rows, and the change that they tell of. Without that change nothing of it is kept. */
export interface Write {
  change?: RowChange;
  rows: NewRow[];
}

/** A change of the one row that is still as it was seen. */
export interface RowChange {
  id: string;
  statement: string;
  values: unknown[];
}

/** A row that is to be kept: where, and its values as the driver takes them. */
export interface NewRow {
  into: InsertStatements;
  values: unknown[];
}

/** How rows get into one table: a statement for each number of rows, written once. */
export class InsertStatements {
  private readonly written: string[] = [];

  constructor(
    private readonly table: string,
    private readonly columns: string[],
  ) {}

  of(rows: number): string {
    return (this.written[rows] ??= this.write(rows));
  }

  private write(rows: number): string {
    const places = `(${this.columns.map(() => '?').join(', ')})`;
    return `INSERT INTO ${this.table} (${this.columns.join(', ')}) VALUES ${Array<string>(rows).fill(places).join(', ')}`;
  }
}

/**
 * Makes writes and tells of each whether it was made. Rows are changed in the order of their ids, so that two who
 * change several do not wait for each other. New rows of writes without a change come first, because theirs begin with
 * what the others' tables belong to.
 */
export async function makeWrites(manager: EntityManager, writes: Write[]): Promise<boolean[]> {
  const refused = new Set<Write>();
  const inOrder = writes.toSorted((one, other) => compare(one.change?.id, other.change?.id));
  for (const write of inOrder)
    if (write.change && !(await makeChange(manager, write.change))) refused.add(write);
  await insertRows(
    manager,
    inOrder.filter((write) => !refused.has(write)).flatMap(({ rows }) => rows),
  );
  return writes.map((write) => !refused.has(write));
}

/** Makes a change; tells whether the row was still as it was seen. */
export async function makeChange(manager: EntityManager, { statement, values }: RowChange): Promise<boolean> {
  return (await runStatement(runnerOf(manager), statement, values)).affected === 1;
}

/** Inserts rows by as few statements as there are tables, or a few more; the tables in the order in which they come. */
export async function insertRows(manager: EntityManager, rows: NewRow[]): Promise<void> {
  for (const [into, those] of Map.groupBy(rows, (row) => row.into)) {
    while (those.length > 0) {
      const part = those.splice(0, powerOfTwoWithin(those.length));
      const values = part.flatMap((row) => row.values);
      await runStatement(runnerOf(manager), into.of(part.length), values);
    }
  }
}

/** The driver prepares a statement for each number of rows, so there are few numbers. */
function powerOfTwoWithin(count: number): number {
  return 2 ** Math.floor(Math.log2(count));
}

/** Units of work hand out managers that are bound to their connection. */
function runnerOf({ queryRunner }: EntityManager): QueryRunner {
  if (!queryRunner) throw new Error('Rows are written in a unit of work alone.');
  return queryRunner;
}

function compare(one = '', other = ''): number {
  return one < other ? -1 : Number(one > other);
}
