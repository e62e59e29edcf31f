import type { QueryRunner } from 'typeorm';
import { ServerUnitOfWork } from '../transactions/server-unit-of-work.js';
import type { Transaction } from '../transactions/unit-of-work.js';
import { executeOnMysql } from './execute-on-mysql.js';
import { executeWrites } from './mysql-writes.js';

export class MysqlUnitOfWork extends ServerUnitOfWork {
  protected async begin(runner: QueryRunner): Promise<void> {
    await executeOnMysql(runner, 'START TRANSACTION');
  }

  protected async end(runner: QueryRunner, sql: string): Promise<void> {
    await executeOnMysql(runner, sql);
  }

  protected commitTogether(writes: Transaction[]): Promise<boolean[]> {
    return this.transaction((manager) => executeWrites(manager, writes));
  }
}
