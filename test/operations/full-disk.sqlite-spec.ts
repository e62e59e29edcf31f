import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import Database from 'better-sqlite3';
import { DiskFileStore } from '../../src/files/disk-file-store.js';
import { CHILD_ENV } from '../support/child-env.js';
import { command } from '../support/command.js';
import { forEachTest } from '../support/for-tests.js';
import { makeInstance, makeNewInstance } from '../support/instance.js';

const FULL = { code: 1, stdout: '', stderr: expect.stringMatching(/^sealpush: .*\(SQLITE_FULL\).*\.\n$/) };

describe('A command on a full disk', () => {
  const source = forEachTest(makeInstance);
  const target = forEachTest(makeNewInstance);

  beforeEach(async () => {
    expect(await command(source, ['user:create', 'ada@example.org'])).toMatchObject({ code: 0 });
  });
  afterEach(() => jest.restoreAllMocks());

  /** From now on no database file can grow, as SQLite sees it when the disk is full. */
  const fillDisk = () => {
    const pragma = Reflect.get(Database.prototype, 'pragma');
    jest.spyOn(Database.prototype, 'pragma').mockImplementation(function (this: Database.Database, ...args) {
      const result = pragma.apply(this, args);
      if (args[0] === 'synchronous = FULL') pragma.call(this, 'max_page_count = 1');
      return result;
    });
  };

  it.each([
    ['migration:run'],
    ['user:create', 'bob@example.org'],
    ['keys:rotate'],
    ['backup', '/nowhere'],
    ['export', '/nowhere'],
  ])('says so in a sentence: %s', async (...args) => {
    fillDisk();

    expect(await command(target, args)).toEqual(FULL);
  });

  it('that imports says so, and leaves no database behind', async () => {
    const file = join(source.dataDir, 'export');
    expect(await command(source, ['export', file])).toMatchObject({ code: 0 });
    await cp(join(source.dataDir, 'master.key'), join(target.dataDir, 'master.key'));
    fillDisk();

    expect(await command(target, ['import', file])).toEqual(FULL);
    expect(await readdir(target.dataDir)).toEqual(['master.key']);
  });

  it('that backs up leaves no database without its files behind', async () => {
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    jest.spyOn(DiskFileStore.prototype, 'copyTo').mockRejectedValue(full);
    const file = join(source.dataDir, 'backup');

    expect(await command(source, ['backup', file])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'sealpush: The disk is full (ENOSPC). Free space on it, and try again.\n',
    });
    expect([file, `${file}.files`].filter(existsSync)).toEqual([]);
  });

  it('says that its result was not written, if that is where standard output leads', async () => {
    const full = await open('/dev/full', 'w');
    const child = spawn(process.execPath, ['dist/cli.js', 'user:create', 'bob@example.org'], {
      env: { ...CHILD_ENV, ...source.env },
      stdio: ['ignore', full.fd, 'pipe'],
    });
    const [stderr, [code]] = await Promise.all([
      text(child.stderr as NodeJS.ReadableStream),
      once(child, 'exit'),
    ]);
    await full.close();

    expect([code, stderr]).toEqual([1, 'sealpush: Standard output cannot be written (ENOSPC).\n']);
  });
});

describe('A refused import', () => {
  it('of a file that is cut off leaves neither a database nor its folder behind', async () => {
    const source = await makeInstance();
    const file = join(source.dataDir, 'export');
    await command(source, ['export', file]);
    const cut = await open(file, 'r+');
    await cut.truncate(200);
    await cut.close();
    const folder = join(source.dataDir, 'new');
    const { code, stderr } = await command({ env: { DATA_DIR: folder } }, ['import', file]);
    const isThere = existsSync(folder);
    await rm(file);
    await source.destroy();

    expect([code, stderr]).toEqual([1, expect.stringContaining('is damaged')]);
    expect(isThere).toBe(false);
  });
});
