import type { Header, RowLine, TableLine } from './export-format.js';
import { BATCH_BYTES } from './export-format.js';
import { ExportCheck } from './export-check.js';
import { readLines } from './read-lines.js';

/** Rows that are inserted together. */
const BATCH_ROWS = 1000;

/** Some rows of one table. */
export interface Batch extends TableLine {
  rows: RowLine[];
}

/**
 * Reads an exported file. Whether it is complete and unchanged is known only at its end: until then, nothing of it may
 * be relied on.
 * @param onHeader throws when this file cannot be imported
 * @throws Refusal
 */
export async function* readExport(path: string, onHeader: (header: Header) => void): AsyncGenerator<Batch> {
  const check = new ExportCheck(path);
  let batch: Batch | undefined;
  let bytes = 0;
  for await (const text of readLines(path)) {
    const line = check.next(text);
    if (line.header) onHeader(line.header);
    if (line.row) batch?.rows.push(line.row);
    bytes += text.length;
    const isFull = bytes > BATCH_BYTES || batch?.rows.length === BATCH_ROWS;
    if (line.row && !isFull) continue;

    if (batch && batch.rows.length > 0) yield batch;
    if (line.table) batch = { ...line.table, rows: [] };
    else if (batch) batch = { ...batch, rows: [] };
    bytes = 0;
  }
  check.finish();
}
