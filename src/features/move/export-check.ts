import type { EndLine, Header, RowLine, TableLine } from './export-format.js';
import { FORMAT, FORMAT_VERSION, newDigest } from './export-format.js';
import { Refusal } from '../../platform/errors/refusal.js';
import { damaged } from './read-lines.js';

/** What a line is; exactly one of these, or nothing for the last line. */
interface Line {
  header?: Header;
  table?: TableLine;
  row?: RowLine;
}

/** Checks an exported file line by line: its structure, its digest, and that no row is missing. */
export class ExportCheck {
  private readonly digest = newDigest();
  private readonly counts = new Map<string, number>();
  private header?: Header;
  private table?: TableLine;
  private end?: EndLine['end'];

  constructor(private readonly path: string) {}

  /** @throws Refusal when the file cannot have this line here */
  next(text: Buffer): Line {
    if (this.end) throw this.damaged('it has lines after its end');
    const line = this.parse(text);
    if (isEndLine(line)) {
      this.end = line.end;
      return {};
    }
    this.digest.update(text);
    if (!this.header) return { header: (this.header = this.asHeader(line)) };
    if (Array.isArray(line)) return { row: this.asRow(line) };
    return { table: (this.table = this.asTable(line)) };
  }

  /** @throws Refusal when the file is not complete, or was changed */
  finish(): void {
    if (!this.end) throw this.damaged('its end is missing');
    if (this.end.sha256 !== this.digest.digest('hex')) throw this.damaged('its SHA-256 is wrong');
    if (sorted(Object.entries(this.end.rows)) !== sorted([...this.counts]))
      throw this.damaged('rows are missing');
  }

  private parse(text: Buffer): unknown {
    try {
      return JSON.parse(text.toString('utf8'));
    } catch {
      throw this.header ? this.damaged('a line is not JSON') : this.notAnExport();
    }
  }

  private asHeader(line: unknown): Header {
    const header = line as Partial<Header> | null;
    if (header?.format !== FORMAT) throw this.notAnExport();
    if (header.version !== FORMAT_VERSION)
      throw new Refusal(
        `${this.path} has version ${String(header.version)} of the format, ` +
          `and this version of Sealpush reads only version ${FORMAT_VERSION}: ` +
          `import it with Sealpush ${String(header.application_version)}, which exported it.`,
      );
    if (!isListOfTexts(header.migrations)) throw this.damaged('its first line is wrong');
    return header as Header;
  }

  private asTable(line: unknown): TableLine {
    const { table, columns } = (line ?? {}) as Partial<TableLine>;
    if (typeof table !== 'string' || !isListOfTexts(columns)) throw this.damaged('a line is unknown');
    if (this.counts.has(table)) throw this.damaged(`table ${table} occurs twice`);
    this.counts.set(table, 0);
    return { table, columns };
  }

  private asRow(line: RowLine): RowLine {
    if (!this.table || line.length !== this.table.columns.length) throw this.damaged('a row is wrong');
    this.counts.set(this.table.table, (this.counts.get(this.table.table) ?? 0) + 1);
    return line;
  }

  private damaged(why: string): Refusal {
    return damaged(this.path, why);
  }

  private notAnExport(): Refusal {
    return new Refusal(`${this.path} is not an export of Sealpush.`);
  }
}

function isEndLine(line: unknown): line is EndLine {
  const { end } = (line ?? {}) as Partial<EndLine>;
  return typeof end?.rows === 'object' && typeof end.sha256 === 'string';
}

function isListOfTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function sorted(counts: [string, number][]): string {
  return JSON.stringify(counts.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
