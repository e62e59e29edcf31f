import type { OnModuleDestroy } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import { Log } from '../logging/log.js';
import { SECOND_MS } from '../settings/units.js';
import { UnsealError } from './secretbox.js';

const MAX_REMEMBERED = 1000;

/** The first damaged row since the last line of the log, and how many were found. */
interface Found {
  row: string;
  error: UnsealError;
  count: number;
  timer: NodeJS.Timeout;
}

/** Reads sealed values of rows some of which may be damaged, so that one of them does not fail a whole list. */
@Injectable()
export class UnreadableRows implements OnModuleDestroy {
  private readonly known = new Set<string>();
  private found?: Found;

  constructor(private readonly log: Log) {}

  /**
   * What `read` returns; undefined when it cannot be unsealed. Each row is logged once, all of a second in one line.
   * @param row names it in the log, such as `push ID`
   */
  readIfPossible<Value>(row: string, read: () => Value): Value | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof UnsealError)) throw error;
      if (!this.known.has(row)) this.note(row, error);
      return undefined;
    }
  }

  /** Logs what waits for its line. */
  logFound(): void {
    if (!this.found) return;
    const { row, error, count, timer } = this.found;
    clearTimeout(timer);
    this.found = undefined;
    const message =
      count === 1
        ? `A stored value of ${row} cannot be read: the row is damaged`
        : `Stored values of ${count} rows, one of them ${row}, cannot be read: the rows are damaged`;
    this.log.failure(message, error);
  }

  onModuleDestroy(): void {
    this.logFound();
  }

  private note(row: string, error: UnsealError): void {
    if (this.known.size >= MAX_REMEMBERED) this.known.clear();
    this.known.add(row);
    if (this.found) {
      this.found.count += 1;
      return;
    }
    const timer = setTimeout(() => {
      this.logFound();
    }, SECOND_MS).unref();
    this.found = { row, error, count: 1, timer };
  }
}
