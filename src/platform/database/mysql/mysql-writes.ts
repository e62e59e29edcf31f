import type { EntityManager, QueryRunner } from 'typeorm';
import { executeOnMysql } from './execute-on-mysql.js';
import { withoutWrapper, WriteTooLarge } from '../errors/database-error.js';
import type { InsertInto, NewRow, Transaction } from '../transactions/unit-of-work.js';
import { ReplacedVersions, runnerOf } from '../transactions/unit-of-work.js';

/** An insert statement has this many rows, a multiple of it, or fewer. */
const ROWS_PER_INSERT = 8;

/**
 * Executes writes in the transaction of `manager` with as few round trips as possible; returns for each whether its
 * `conditionalUpdate` matched. Conditional updates run first, in the order of their rows' ids, so that two batches
 * cannot deadlock on them; then new rows by table, those of writes without a conditional update first, because rows of
 * conditional writes may refer to them.
 */
export async function executeWrites(manager: EntityManager, writes: Transaction[]): Promise<boolean[]> {
  const runner = runnerOf(manager);
  const ordered = writes.toSorted((a, b) => compare(a.conditionalUpdate?.rowId, b.conditionalUpdate?.rowId));
  const rejected = new Set(await withoutParent(runner, ordered));
  await executeConditionalUpdates(runner, ordered, rejected);
  const kept = ordered.filter((write) => !rejected.has(write));
  await insertRows(
    runner,
    kept.flatMap(({ rows }) => rows),
  );
  for (const { sql, values } of kept.flatMap(({ statements }) => statements)) {
    await executeOnMysql(runner, sql, values);
  }
  return writes.map((write) => !rejected.has(write));
}

async function withoutParent(runner: QueryRunner, writes: Transaction[]): Promise<Transaction[]> {
  const locked = new Map<string, boolean>();
  for (const { parent } of writes) {
    if (!parent || locked.has(parent.id)) continue;
    const sql = `SELECT id FROM ${parent.table} WHERE id = ? LOCK IN SHARE MODE`;
    locked.set(parent.id, (await executeOnMysql(runner, sql, [parent.id])).rows.length === 1);
  }
  return writes.filter(({ parent }) => parent && !locked.get(parent.id));
}

/** Adds writes whose conditional update does not match to `rejected`. */
async function executeConditionalUpdates(
  runner: QueryRunner,
  writes: Transaction[],
  rejected: Set<Transaction>,
): Promise<void> {
  const replaced = new ReplacedVersions();
  for (const write of writes) {
    const { conditionalUpdate } = write;
    if (!conditionalUpdate || rejected.has(write)) continue;
    if (
      !replaced.has(conditionalUpdate) &&
      (await executeOnMysql(runner, conditionalUpdate.sql, conditionalUpdate.values)).affected === 1
    ) {
      replaced.add(conditionalUpdate);
    } else {
      rejected.add(write);
    }
  }
}

async function insertRows(runner: QueryRunner, rows: NewRow[]): Promise<void> {
  for (const [table, ofTable] of Map.groupBy(rows, (row) => row.table)) {
    while (ofTable.length > 0) {
      await insertPart(runner, table, ofTable.splice(0, partOf(ofTable.length)));
    }
  }
}

/** Rows that are too large for one statement, which was not sent then, are inserted by several. */
async function insertPart(runner: QueryRunner, table: InsertInto, rows: NewRow[]): Promise<void> {
  try {
    await executeOnMysql(
      runner,
      table.sqlFor(rows.length),
      rows.flatMap(({ values }) => values),
    );
  } catch (error) {
    if (rows.length === 1 || !(withoutWrapper(error) instanceof WriteTooLarge)) throw error;
    for (const row of rows) await insertPart(runner, table, [row]);
  }
}

/** At most two statements: the server prepares one for each number of rows, so only a few numbers are used. */
function partOf(count: number): number {
  return count > ROWS_PER_INSERT ? count - (count % ROWS_PER_INSERT) : count;
}

function compare(a = '', b = ''): number {
  return a < b ? -1 : Number(a > b);
}
