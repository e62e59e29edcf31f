import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { DataSource } from 'typeorm';
import { FreePages } from '../../src/platform/database/free-pages.js';
import { Leases } from '../../src/platform/database/leases.js';
import { WriteAheadLog } from '../../src/platform/database/sqlite/write-ahead-log.js';
import { UnitOfWork } from '../../src/platform/database/transactions/unit-of-work.js';
import { Log } from '../../src/platform/logging/log.js';
import { Jobs } from '../../src/platform/scheduling/jobs.js';
import { command } from '../support/command.js';
import { forEachTest } from '../support/for-tests.js';
import { startApp } from '../support/start-app.js';
import { makeSqliteInstance } from '../support/instance.js';

const INCREMENTAL = 2;
const PUSHES = 40;
const PAYLOAD = 'tulip'.repeat(100_000);

describe('The space of deleted rows in SQLite', () => {
  const running = forEachTest(startApp);

  afterEach(() => {
    jest.restoreAllMocks();
  });

  const giveBack = (now?: () => number) => running.app.get(FreePages).giveBack(undefined, now);
  const freeMuch = async () => {
    const { client } = await running.newUser();
    for (let index = 0; index < PUSHES; index++) await client.push({ payload: PAYLOAD });
    await running.dataSource.query('DELETE FROM pushes');
  };
  /** Calls this before each step with its size in pages. */
  const beforeSteps = (call: (pages: number) => void) => {
    const pragma = Reflect.get(Database.prototype, 'pragma');
    jest.spyOn(Database.prototype, 'pragma').mockImplementation(function (this: Database.Database, ...args) {
      const step = /^incremental_vacuum\((\d+)\)$/.exec(args[0]);
      if (step) call(Number(step[1]));
      return pragma.apply(this, args);
    });
  };
  const sizeOfFile = async () => {
    await running.app.get(WriteAheadLog).truncate();
    return (await stat(join(running.instance.dataDir, 'sealpush.sqlite3'))).size;
  };

  it('is given back to the disk while the service runs, and what remains is whole', async () => {
    const { client } = await running.newUser();
    const kept = await client.push({ payload: 'rose' });
    for (let index = 0; index < PUSHES; index++) await client.push({ payload: PAYLOAD });
    const last = await client.push({ payload: 'lily' });
    const full = await sizeOfFile();
    await running.dataSource.query('DELETE FROM pushes WHERE LENGTH(payload) > 100000');
    const deleted = await sizeOfFile();
    const [pages] = await Promise.all([giveBack(), client.push({ payload: 'written in between' })]);
    const [{ integrity_check }] = await running.dataSource.query('PRAGMA integrity_check');

    expect(deleted).toBe(full);
    expect(pages).toBeGreaterThan(1000);
    expect(await sizeOfFile()).toBeLessThan(full / 2);
    expect(integrity_check).toBe('ok');
    expect((await client.retrieve(kept.url_token)).body.payload).toBe('rose');
    expect((await client.retrieve(last.url_token)).body.payload).toBe('lily');
  });

  it('is left alone while there is little of it', async () => {
    const { client } = await running.newUser();
    await client.push({ payload: PAYLOAD });
    await running.dataSource.query('DELETE FROM pushes');

    expect(await giveBack()).toBe(0);
  });

  it('is given back for some seconds a minute only, in steps of 16 pages at least, however slow the disk', async () => {
    await freeMuch();
    const steps: number[] = [];
    let time = 0;
    beforeSteps((pages) => {
      steps.push(pages);
      time += 500;
    });

    expect(await giveBack(() => time)).toBe(160);
    expect(steps).toEqual(Array(10).fill(16));
    expect(await giveBack()).toBeGreaterThan(1000);
  });

  it.each(['SQLITE_FULL', 'SQLITE_IOERR_WRITE'])(
    'is given back later when the disk fails with %s, with a warning, and writes go on',
    async (code) => {
      await freeMuch();
      const warning = jest.spyOn(running.app.get(Log), 'warning');
      beforeSteps(() => {
        throw Object.assign(new Error('the disk fails'), { code });
      });

      expect(await giveBack()).toBe(0);
      expect(warning.mock.calls).toEqual([[expect.stringContaining('Free space'), { code }]]);
      jest.restoreAllMocks();
      await running.newUser();
      expect(await giveBack()).toBeGreaterThan(1000);
    },
  );

  it('is given back before the write-ahead log is emptied, which also happens if that fails', async () => {
    await freeMuch();
    const calls: string[] = [];
    jest.spyOn(running.app.get(WriteAheadLog), 'truncate').mockImplementation(() => {
      calls.push('truncate');
      return Promise.resolve();
    });
    beforeSteps(() => {
      calls.push('step');
      throw new Error('the disk fails');
    });
    await running.app.get(Jobs).run('expiry');

    expect(calls).toEqual(['step', 'truncate']);
  });

  it('is given back by one of several processes', async () => {
    await freeMuch();
    const steps: string[] = [];
    beforeSteps(() => steps.push('step'));
    const other = new Leases(running.app.get(DataSource), running.app.get(UnitOfWork));
    await other.runIfFree('expiry', () => running.app.get(Jobs).run('expiry'));

    expect(steps).toEqual([]);
  });

  it('can also be given back in a copy of the database', async () => {
    const copy = join(running.instance.dataDir, 'copy.sqlite3');
    expect(await command(running.instance, ['backup', copy])).toMatchObject({ code: 0 });
    const database = new Database(copy);
    const mode = database.pragma('auto_vacuum', { simple: true });
    database.close();

    expect(mode).toBe(INCREMENTAL);
  });
});

const FILES = 200;
const CONNECTIONS = 4;

/** Opens each file as soon as all workers are ready to open it; posts the codes of errors. */
const OPEN_FILES = `
  const { parentPort, workerData: { ready, folder, files, connections } } = require('node:worker_threads');
  const Database = require('better-sqlite3');
  import('./dist/platform/database/sqlite/sqlite-connection.js').then(({ prepareSqlite }) => {
    const errors = [];
    for (let file = 0; file < files; file++) {
      Atomics.add(ready, file, 1);
      while (Atomics.load(ready, file) < connections);
      try {
        prepareSqlite(new Database(folder + '/' + file));
      } catch (error) {
        errors.push(error.code);
      }
    }
    parentPort.postMessage(errors);
  });
`;

describe('Opening a new SQLite file', () => {
  const instance = forEachTest(makeSqliteInstance);

  it('succeeds for several connections at the same time (K5)', async () => {
    const workerData = {
      ready: new Int32Array(new SharedArrayBuffer(4 * FILES)),
      folder: instance.dataDir,
      files: FILES,
      connections: CONNECTIONS,
    };
    const workers = Array.from(
      { length: CONNECTIONS },
      () => new Worker(OPEN_FILES, { eval: true, workerData }),
    );
    const errors = await Promise.all(workers.map(async (worker) => (await once(worker, 'message')).flat(2)));

    expect(errors).toEqual(Array(CONNECTIONS).fill([]));
  });
});
