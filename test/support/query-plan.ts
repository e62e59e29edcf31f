import type { DataSource } from 'typeorm';
import { engine } from './engine.js';
import type { Statement } from './recorded-statements.js';

/**
 * The steps of a statement's query plan whose cost grows with the database: full table scans, scans from some id on, and
 * sorts. A condition such as `id > ?` does not bound a scan: it sets where the scan starts, not where it ends.
 */
export async function growingSteps(
  dataSource: DataSource,
  { sql, parameters }: Statement,
): Promise<string[]> {
  if (/^(INSERT|REPLACE)\b(?!.*\bSELECT\b)/is.test(sql)) return [];
  if (engine.name === 'postgres') return growingOnPostgres(dataSource, sql, parameters);
  return engine.name === 'sqlite'
    ? growingOnSqlite(await dataSource.query<SqliteStep[]>(`EXPLAIN QUERY PLAN ${sql}`, parameters), sql)
    : growingOnMysql(
        await dataSource.query<MysqlStep[]>(`EXPLAIN FORMAT=TRADITIONAL ${sql}`, parameters),
        sql,
      );
}

interface SqliteStep {
  detail: string;
}

/** Rows of one owner must be found by an index on that owner, not by searching the rows of all owners. */
const OWNERS = /"(user_id|push_id|account)" (?:= \?|IS NULL)/;

/** A search by one of these finds one row, or a few. */
const FEW = /\((id|digest|token_digest|email)=\?/;

/** Scans of a derived table are harmless: it has only the few rows that its own plan has found. */
function growingOnSqlite(steps: SqliteStep[], sql: string): string[] {
  const owner = OWNERS.exec(sql)?.[1];
  const isOfAllOwners = (detail: string) =>
    owner !== undefined &&
    detail.startsWith('SEARCH') &&
    !detail.includes(`(${owner}=?`) &&
    !FEW.test(detail);
  const derived = steps.flatMap(({ detail }) => /^(?:CO-ROUTINE|MATERIALIZE) (\S+)/.exec(detail)?.[1] ?? []);
  const isHarmless = (detail: string) =>
    detail === 'SCAN CONSTANT ROW' || derived.some((name) => detail === `SCAN ${name}`);
  return steps
    .map(({ detail }) => detail)
    .filter(
      (detail) =>
        isOfAllOwners(detail) || (/^(SCAN|USE TEMP B-TREE)\b|\(id>\?\)$/.test(detail) && !isHarmless(detail)),
    );
}

interface MysqlStep {
  select_type: string;
  table: string | null;
  type: string | null;
  key: string | null;
  Extra: string | null;
}

function growingOnMysql(steps: MysqlStep[], sql: string): string[] {
  const isFromSomeIdOn = /`id` > \?/.test(sql);
  const read = steps.filter(({ select_type }) => select_type !== 'INSERT'); // into which table, not how that is read
  return read.flatMap(({ table, type, key, Extra }) => {
    const isScan = /^(ALL|index)$/i.test(type ?? '') && !table?.startsWith('<derived');
    const isScanFromId = type === 'range' && key === 'PRIMARY' && isFromSomeIdOn;
    const isSort = /Using (filesort|temporary)/.test(Extra ?? '');
    return isScan || isScanFromId || isSort
      ? [`${String(type)} of ${String(table)} by ${String(key)}: ${Extra ?? ''}`]
      : [];
  });
}

interface PostgresStep {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  'Presorted Key'?: string[];
  Plans?: PostgresStep[];
}

/**
 * Where the planner would choose a scan or a sort of a small table because it is cheap, it uses an index if there is one:
 * only what no index can do is left.
 */
async function growingOnPostgres(
  dataSource: DataSource,
  sql: string,
  parameters: unknown[],
): Promise<string[]> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.query('BEGIN');
    for (const name of ['seqscan', 'sort', 'bitmapscan', 'hashjoin', 'mergejoin'])
      await runner.query(`SET LOCAL enable_${name} = off`);
    let count = 0;
    const numbered = /\$\d/.test(sql) ? sql : sql.replaceAll('?', () => `$${++count}`);
    const [row] = await runner.query(`EXPLAIN (FORMAT JSON) ${numbered}`, parameters);
    const [{ Plan }] = JSON.parse(row['QUERY PLAN'] as string) as [{ Plan: PostgresStep }];
    return stepsOf(Plan).flatMap((step) => growing(step, sql));
  } finally {
    await runner.query('ROLLBACK');
    await runner.release();
  }
}

function stepsOf(step: PostgresStep): PostgresStep[] {
  return [step, ...(step.Plans ?? []).flatMap(stepsOf)];
}

function growing(step: PostgresStep, sql: string): string[] {
  const { 'Node Type': type, 'Index Cond': condition, 'Relation Name': table } = step;
  const isScan = type === 'Seq Scan' || (/^Index (Only )?Scan$/.test(type) && condition === undefined);
  const isScanFromId =
    /\bid"? > \?/.test(sql) && /^\(+(\w+\.)?id\)?(::text)? > [^)]*\)+$/.test(condition ?? '');
  const isSort = type === 'Sort' || type === 'Hash';
  return isScan || isScanFromId || isSort ? [`${type} of ${String(table)}: ${condition ?? ''}`] : [];
}
