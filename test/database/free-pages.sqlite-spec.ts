import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { FreePages } from '../../src/database/free-pages.js';
import { WriteAheadLog } from '../../src/database/sqlite/write-ahead-log.js';
import { command } from '../support/command.js';
import type { RunningApp } from '../support/start-app.js';
import { startApp } from '../support/start-app.js';

const INCREMENTAL = 2;
const PUSHES = 40;
const PAYLOAD = 'tulip'.repeat(100_000);

describe('The space of deleted rows in SQLite', () => {
  let running: RunningApp;

  beforeEach(async () => (running = await startApp()));
  afterEach(() => running.stop());

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
    const [pages] = await Promise.all([
      running.app.get(FreePages).giveBack(),
      client.push({ payload: 'written in between' }),
    ]);
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

    expect(await running.app.get(FreePages).giveBack()).toBe(0);
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
