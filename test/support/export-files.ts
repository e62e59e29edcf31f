import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { gunzipSync, gzipSync } from 'node:zlib';

/** The lines of an exported file. */
export async function exportedLines(path: string): Promise<string[]> {
  return gunzipSync(await readFile(path))
    .toString()
    .split('\n')
    .slice(0, -1);
}

/** Writes a file with these lines, whose end agrees with them unless it is among them. */
export async function writeExport(path: string, lines: string[], hasEnd = false): Promise<void> {
  const text = lines.map((line) => `${line}\n`).join('');
  const rows: Record<string, number> = {};
  let table = '';
  for (const line of lines) {
    const parsed = JSON.parse(line);
    if (parsed.table !== undefined) rows[(table = parsed.table)] = 0;
    else if (Array.isArray(parsed)) rows[table] = (rows[table] ?? 0) + 1;
  }
  const end = { end: { rows, sha256: createHash('sha256').update(text).digest('hex') } };
  await writeFile(path, gzipSync(hasEnd ? text : `${text}${JSON.stringify(end)}\n`));
}
