import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { exportDatabase } from './export-database.js';
import { forAllTests } from '../../../test/support/for-tests.js';
import { logStatements } from '../../../test/support/recorded-statements.js';
import { startApp } from '../../../test/support/start-app.js';
import { MIB } from '../../platform/settings/units.js';

describe('What is written while the database is exported', () => {
  const running = forAllTests(startApp);

  it('is not left in the write-ahead log for the next request to move (L4)', async () => {
    const file = join(running.instance.dataDir, 'sealpush.sqlite3');
    const beside = new Database(file);
    let isWritten = false;
    const stop = await logStatements(running.app, (sql) => {
      if (isWritten || !sql.includes('FROM "pushes"')) return;
      isWritten = true;
      beside.exec(
        'CREATE TABLE written AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 8) ' +
          `SELECT randomblob(${MIB}) AS bytes FROM n`,
      );
    });
    const before = statSync(file).size;
    await exportDatabase(running.dataSource, join(tmpdir(), randomUUID()), () => Promise.resolve());
    stop();
    const after = statSync(file).size;
    beside.close();

    expect([isWritten, after - before > 8 * MIB]).toEqual([true, true]);
  });
});
