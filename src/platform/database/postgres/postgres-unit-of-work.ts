import type { QueryRunner } from 'typeorm';
import type { StatementResult } from '../engine/engine.js';
import { committed, ServerUnitOfWork } from '../transactions/server-unit-of-work.js';
import type { Statement, Transaction } from '../transactions/unit-of-work.js';
import { executeTogether } from './execute-on-postgres.js';
import type { ServerConnection } from './server-pool.js';
import { WAITS_OF_TRANSACTION } from './session.js';

/** Also where a pooler gives a session with other defaults. */
const BEGIN: Statement = { sql: 'BEGIN ISOLATION LEVEL READ COMMITTED', values: [] };
const COMMIT: Statement = { sql: 'COMMIT', values: [] };
const LIMIT_WAITS: Statement = { sql: WAITS_OF_TRANSACTION, values: [] };

/**
 * Writes that arrive together are one message if none has a condition: the server commits its statements as one transaction.
 * Otherwise they are two, because what is inserted depends on which conditions were met. docs/decisions/0107 contains the
 * reasons.
 */
export class PostgresUnitOfWork extends ServerUnitOfWork {
  protected async begin(runner: QueryRunner): Promise<void> {
    await executeTogether(runner, await beginning(runner));
  }

  protected async end(runner: QueryRunner, sql: string): Promise<void> {
    const [result] = await executeTogether(runner, [{ sql, values: [] }]);
    if (result?.command !== sql) throw new Error('A statement of the transaction has failed.');
  }

  protected async commitTogether(writes: Transaction[]): Promise<boolean[]> {
    const runner = this.dataSource.createQueryRunner();
    try {
      const isConditional = writes.some(({ parent, conditionalUpdate }) => parent ?? conditionalUpdate);
      if (isConditional) return await this.commitConditional(runner, writes);
      const [, ...waits] = await beginning(runner);
      await committed(executeTogether(runner, [...waits, ...changesOf(writes)]));
      return writes.map(() => true);
    } finally {
      await runner.release();
    }
  }

  /** Conditional updates are executed in the order of their rows' ids, so that two batches cannot deadlock on them. */
  private async commitConditional(runner: QueryRunner, writes: Transaction[]): Promise<boolean[]> {
    const ordered = writes.toSorted((a, b) =>
      compare(a.conditionalUpdate?.rowId, b.conditionalUpdate?.rowId),
    );
    let known = new Set<Transaction>();
    try {
      for (;;) {
        const { rejected, mustRepeat } = await this.tryConditions(runner, ordered, known);
        known = rejected;
        if (mustRepeat) {
          await this.rollBack(runner);
          continue;
        }
        const kept = ordered.filter((write) => !rejected.has(write));
        await committed(executeTogether(runner, [...changesOf(kept), COMMIT]));
        return writes.map((write) => !rejected.has(write));
      }
    } catch (error) {
      await this.rollBack(runner);
      throw error;
    }
  }

  /**
   * Locks the parents and executes the conditional updates, all in one message. An update whose parent turns out not to
   * exist must be undone: then all are executed again without those that are rejected.
   */
  private async tryConditions(
    runner: QueryRunner,
    writes: Transaction[],
    known: Set<Transaction>,
  ): Promise<{ rejected: Set<Transaction>; mustRepeat: boolean }> {
    const tried = writes.filter((write) => !known.has(write));
    const referred = tried.flatMap(({ parent }) => parent ?? []).sort((a, b) => compare(a.id, b.id));
    const parents = new Map(referred.map((parent) => [parent.id, parent]));
    const conditional = tried.filter(({ conditionalUpdate }) => conditionalUpdate);
    const begin = await beginning(runner);
    const locks = Array.from(parents.values(), ({ table, id }) => lockOf(table, id));
    const updates = conditional.map(({ conditionalUpdate }) => conditionalUpdate as Statement);
    const results = (await executeTogether(runner, [...begin, ...locks, ...updates])).slice(begin.length);

    const exists = existing([...parents.keys()], results);
    const isOrphan = ({ parent }: Transaction) => parent !== undefined && !exists.has(parent.id);
    const hasMatched = (index: number) => results[locks.length + index]?.affected === 1;
    const rejected = new Set([...known, ...tried.filter(isOrphan)]);
    const mustRepeat = conditional.some((write, index) => isOrphan(write) && hasMatched(index));
    conditional.forEach((write, index) => {
      if (!mustRepeat && !hasMatched(index)) rejected.add(write);
    });
    return { rejected, mustRepeat };
  }
}

/** Where each transaction may get another session, the session has no limits of its own. */
async function beginning(runner: QueryRunner): Promise<Statement[]> {
  const { isPooled } = (await runner.connect()) as ServerConnection;
  return isPooled ? [BEGIN, LIMIT_WAITS] : [BEGIN];
}

/** New rows of writes without a condition come first, because rows of conditional writes may refer to them. */
function changesOf(writes: Transaction[]): Statement[] {
  const rows = writes.flatMap(({ rows }) =>
    rows.map(({ table, values }) => ({ sql: table.sqlFor(1), values })),
  );
  return [...rows, ...writes.flatMap(({ statements }) => statements)];
}

/** Nobody can delete the row until the transaction ends; changes of it do not wait. */
function lockOf(table: string, id: string): Statement {
  return { sql: `SELECT id FROM ${table} WHERE id = ? FOR KEY SHARE`, values: [id] };
}

function existing(ids: string[], results: StatementResult[]): Set<string> {
  return new Set(ids.filter((_, index) => results[index]?.rows.length === 1));
}

function compare(a = '', b = ''): number {
  return a < b ? -1 : Number(a > b);
}
