import type { Hash } from 'node:crypto';
import { createHash } from 'node:crypto';

/** docs/decisions/0041 describes the format. */
export const FORMAT = 'sealpush-export';
export const FORMAT_VERSION = 1;

/** The first line. */
export interface Header {
  format: string;
  version: number;
  application_version: string;
  created_at: string;
  /** Those of the modules whose tables are in the file. */
  migrations: string[];
}

/** The line before the rows of a table. */
export interface TableLine {
  table: string;
  columns: string[];
}

/** A row: its values in the order of the columns. */
export type RowLine = unknown[];

/** The last line. */
export interface EndLine {
  end: {
    /** How many rows each table has. */
    rows: Record<string, number>;
    /** Of all lines before this one, with their line breaks. */
    sha256: string;
  };
}

/** A row in the file has at most so many bytes; that of the largest payload has about six million. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;
/** So many bytes of rows are in memory at a time, but at least one row. */
export const BATCH_BYTES = 4 * 1024 * 1024;

export function newDigest(): Hash {
  return createHash('sha256');
}
