import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { UnitOfWork } from '../transactions/unit-of-work.js';

/** SQLite's write-ahead log, which contains old versions of pages. Servers manage their own logs. */
@Injectable()
export class WriteAheadLog {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Empties it, so that deleted data is no longer in any file. Does nothing while another process is reading. */
  async truncate(): Promise<void> {
    if (this.dataSource.options.type !== 'better-sqlite3') return;
    await this.unitOfWork.outsideTransaction((manager) => manager.query('PRAGMA wal_checkpoint(TRUNCATE)'));
  }
}
