import { Injectable } from '@nestjs/common';
import { Log } from '../logging/log.js';
import { UnsealError } from './secretbox.js';

const MAX_REMEMBERED = 1000;

/** Reads sealed values of rows some of which may be damaged, so that one of them does not fail a whole list. */
@Injectable()
export class UnreadableRows {
  private readonly logged = new Set<string>();

  constructor(private readonly log: Log) {}

  /**
   * What `read` returns; undefined when it cannot be unsealed, which is logged once for each row.
   * @param row names it in the log, such as `push ID`
   */
  readIfPossible<Value>(row: string, read: () => Value): Value | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof UnsealError)) throw error;
      this.logOnce(row, error);
      return undefined;
    }
  }

  private logOnce(row: string, error: UnsealError): void {
    if (this.logged.has(row)) return;
    if (this.logged.size >= MAX_REMEMBERED) this.logged.clear();
    this.logged.add(row);
    this.log.failure(`A stored value of ${row} cannot be read: the row is damaged`, error);
  }
}
