import type { DataSource } from 'typeorm';
import { engine } from './engine.js';
import type { Statement } from './recorded-statements.js';

/**
 * What grows with the database in how it would run a statement: tables read as a whole or from some id on, and sets
 * sorted. Bounded by another condition an id is no bound of its own: it tells where a walk goes on, not where it ends.
 */
export async function growingSteps(
  dataSource: DataSource,
  { sql, parameters }: Statement,
): Promise<string[]> {
  if (/^(INSERT|REPLACE)\b(?!.*\bSELECT\b)/is.test(sql)) return [];
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

/** What belongs to one of very many is found by whose it is, and not among everyone's. */
const OWNERS = /"(user_id|push_id|account)" = \?/;

/** A derived table has the few rows that the plan of its own has found. */
function growingOnSqlite(steps: SqliteStep[], sql: string): string[] {
  const owner = OWNERS.exec(sql)?.[1];
  const isEveryones = (detail: string) =>
    owner !== undefined &&
    detail.startsWith('SEARCH') &&
    !detail.includes(`(${owner}=?`) &&
    !detail.includes('(id=?');
  const derived = steps.flatMap(({ detail }) => /^(?:CO-ROUTINE|MATERIALIZE) (\S+)/.exec(detail)?.[1] ?? []);
  const isHarmless = (detail: string) =>
    detail === 'SCAN CONSTANT ROW' || derived.some((name) => detail === `SCAN ${name}`);
  return steps
    .map(({ detail }) => detail)
    .filter(
      (detail) =>
        isEveryones(detail) || (/^(SCAN|USE TEMP B-TREE)\b|\(id>\?\)$/.test(detail) && !isHarmless(detail)),
    );
}

interface MysqlStep {
  table: string | null;
  type: string | null;
  key: string | null;
  Extra: string | null;
}

function growingOnMysql(steps: MysqlStep[], sql: string): string[] {
  const isFromSomeIdOn = /`id` > \?/.test(sql);
  return steps.flatMap(({ table, type, key, Extra }) => {
    const isScan = /^(ALL|index)$/i.test(type ?? '') && !table?.startsWith('<derived');
    const isWalk = type === 'range' && key === 'PRIMARY' && isFromSomeIdOn;
    const isSort = /Using (filesort|temporary)/.test(Extra ?? '');
    return isScan || isWalk || isSort
      ? [`${String(type)} of ${String(table)} by ${String(key)}: ${Extra ?? ''}`]
      : [];
  });
}
