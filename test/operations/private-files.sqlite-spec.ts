import { chmod, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { created } from '../support/files.js';
import { forEachTest } from '../support/for-tests.js';
import { cli, spawnServer } from '../support/spawn-server.js';
import { makeNewInstance } from '../support/instance.js';

const FILES_OPEN = { FILES_REQUIRE_AUTHENTICATION: 'false' };

describe('In a folder that other users may read', () => {
  const instance = forEachTest(makeNewInstance);
  let umask: number;

  beforeEach(async () => {
    await chmod(instance.dataDir, 0o755);
    umask = process.umask(0o022); // inherited by child processes
  });
  afterEach(() => {
    process.umask(umask);
  });

  /** The paths and permissions of everything in the folder. */
  const modes = async () => {
    const paths = await readdir(instance.dataDir, { recursive: true });
    const stats = await Promise.all(paths.map((path) => stat(join(instance.dataDir, path))));
    return paths.map((path, i) => ({ path, mode: stats[i]?.mode ?? 0, isFolder: stats[i]?.isDirectory() }));
  };
  const expectPrivate = async () => {
    const made = await modes();
    expect(made.length).toBeGreaterThan(0);
    for (const { path, mode, isFolder } of made) {
      expect([path, (mode & 0o777).toString(8)]).toEqual([path, isFolder ? '700' : '600']);
    }
  };

  it('all files that the server creates are accessible only to its user (L17)', async () => {
    const server = await spawnServer(instance, FILES_OPEN);
    const form = new FormData();
    form.append('push[files][]', new Blob(['tulip']), 'tulip.txt');
    created(await server.anonymous.send('POST', '/api/v2/pushes', form));

    await expectPrivate();
    await server.stop();
    await expectPrivate();
  });

  it('all files that a command creates are accessible only to its user (L17)', async () => {
    await cli(instance, 'user:create', 'ada@example.org');

    await expectPrivate();
  });
});
