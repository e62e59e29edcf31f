import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { UnitOfWork } from '../transactions/unit-of-work.js';

/**
 * Moves what it has into the database file, without making anybody wait. It grows during a long read, and after that the
 * next commit, of a request, would have to move all of it. Does nothing on servers.
 */
export async function moveWriteAheadLog(dataSource: DataSource): Promise<void> {
  if (dataSource.options.type === 'better-sqlite3') await dataSource.query('PRAGMA wal_checkpoint(PASSIVE)');
}

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
