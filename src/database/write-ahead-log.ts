import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { UnitOfWork } from './unit-of-work.js';

/** SQLite's write-ahead log, in which pages as they were live on. On a server there is nothing of the kind that is ours. */
@Injectable()
export class WriteAheadLog {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Empties it, so that what was deleted is gone from the files. Left for next time when another process is reading. */
  async truncate(): Promise<void> {
    if (this.dataSource.options.type !== 'better-sqlite3') return;
    await this.unitOfWork.outsideTransaction((manager) => manager.query('PRAGMA wal_checkpoint(TRUNCATE)'));
  }
}
