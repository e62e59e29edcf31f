import { randomBytes } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InstanceAudit } from '../../platform/instance-audit/instance-audit.service.js';
import { command } from '../../../test/support/command.js';
import { engine } from '../../../test/support/engine.js';
import { makeFolder } from '../../../test/support/folder.js';
import { forEachTest, forThisTest } from '../../../test/support/for-tests.js';
import type { Instance } from '../../../test/support/instance.js';
import { makeInstance } from '../../../test/support/instance.js';
import { run } from '../../../test/support/run.js';
import { startApp } from '../../../test/support/start-app.js';

const FILE = 'a very secret file, with tulips in it';
const SECRETS = { payload: 'tulips at noon', passphrase: 'correct horse', name: 'spring', note: 'for Ada' };

describe('backup', () => {
  const instance = forEachTest(makeInstance);
  const folder = forEachTest(makeFolder);
  let file: string;

  beforeEach(() => (file = join(folder.path, 'copy.sqlite3')));

  const backUp = () => command(instance, ['backup', file]);

  if (engine.name === 'sqlite') {
    /** A data folder restored from a backup, with or without the key. */
    async function restored(withKey: boolean): Promise<Instance> {
      const dataDir = join(folder.path, 'restored');
      await cp(`${file}.files`, join(dataDir, 'files'), { recursive: true });
      await rename(file, join(dataDir, 'sealpush.sqlite3'));
      if (withKey) await cp(join(instance.dataDir, 'master.key'), join(dataDir, 'master.key'));
      return { ...instance, dataDir, env: { DATA_DIR: dataDir } };
    }

    async function pushAll() {
      const server = await forThisTest(startApp({}, { instance }));
      const { token, client: owner } = await server.newUser();
      const plain = await owner.push({ ...SECRETS, expire_after_views: 2 });
      await owner.retrieve(plain.url_token, SECRETS.passphrase);
      const files = [{ filename: 'tulips.txt', content: Buffer.from(FILE).toString('base64') }];
      const { url_token } = await owner.push({ files });
      return { server, plain: plain.url_token as string, file: url_token as string, token };
    }

    it('copies database and files while the server runs, and a restored server continues from that state (K5)', async () => {
      const pushes = await pushAll();
      const { code, stdout, stderr } = await backUp();
      const later = await pushes.server.anonymous.push({ payload: 'too late' });
      await pushes.server.stop();
      const { anonymous } = await forThisTest(startApp({}, { instance: await restored(true) }));
      const first = await anonymous.retrieve(pushes.plain, SECRETS.passphrase);
      const second = await anonymous.retrieve(pushes.plain, SECRETS.passphrase);
      const { body } = await anonymous.retrieve(pushes.file);

      expect([code, stderr]).toEqual([0, '']);
      expect(JSON.parse(stdout)).toEqual({ database: file, files: `${file}.files`, count: 1 });
      expect(first.body).toMatchObject({ payload: SECRETS.payload, views_remaining: 0 });
      expect(second.body).toMatchObject({ payload: null, expired: true });
      expect((await anonymous.get(new URL(body.files[0].url).pathname)).body).toBe(FILE);
      expect((await anonymous.retrieve(later.url_token)).status).toBe(404);
    });

    it('is readable only by its owner', async () => {
      await backUp();

      expect((await stat(file)).mode & 0o777).toBe(0o600);
    });

    it('overwrites no existing file', async () => {
      await writeFile(file, 'precious');

      expect(await backUp()).toEqual({
        code: 1,
        stdout: '',
        stderr: `sealpush: ${file} already exists, and a backup overwrites nothing.\n`,
      });
      expect(await readFile(file, 'utf8')).toBe('precious');

      await rename(file, `${file}.files`);
      expect(await backUp()).toMatchObject({
        code: 1,
        stderr: `sealpush: ${file}.files already exists, and a backup overwrites nothing.\n`,
      });
      expect(await readdir(folder.path)).toEqual(['copy.sqlite3.files']);
    });

    it('removes no folder that was made after it began', async () => {
      const precious = join(`${file}.files`, 'precious');
      jest.spyOn(InstanceAudit.prototype, 'record').mockImplementationOnce(async () => {
        await mkdir(`${file}.files`, { recursive: true });
        await writeFile(precious, 'tulip');
      });
      await backUp();

      expect(await readFile(precious, 'utf8')).toBe('tulip');
    });

    it('reports in one line which path it cannot write', async () => {
      file = join(folder.path, 'nowhere', 'copy.sqlite3');

      expect(await backUp()).toEqual({
        code: 1,
        stdout: '',
        stderr: `sealpush: ${file} cannot be written (ENOENT).\n`,
      });
    });

    it('reveals nothing to a thief without the key, and no server can start with it (H2)', async () => {
      const pushes = await pushAll();
      await backUp();
      const stolen = [
        file,
        ...(await readdir(`${file}.files`, { recursive: true, withFileTypes: true }))
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name)),
      ];
      for (const path of stolen) {
        const bytes = await readFile(path);
        const secrets = [
          ...Object.values(SECRETS),
          FILE,
          'tulips.txt',
          pushes.plain,
          pushes.file,
          pushes.token,
        ];
        for (const secret of secrets) {
          for (const encoding of ['utf8', 'base64', 'hex'] as const) {
            expect(bytes.includes(Buffer.from(secret).toString(encoding).replace(/=+$/, ''))).toBe(false);
          }
        }
      }
      const withoutKey = await restored(false);
      const guess = randomBytes(32).toString('base64');

      expect(stolen).toHaveLength(3);
      expect(await run('main.js', withoutKey)).toMatchObject({ code: 1, stdout: '' });
      expect(await run('main.js', withoutKey, { env: { MASTER_KEYS: guess } })).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/^sealpush: The database holds what was sealed with master key /),
      });
    });
  } else {
    it('prints how to dump a server’s database, without its password, and fails', async () => {
      const { code, stdout, stderr } = await backUp();

      expect([code, stdout]).toEqual([1, '']);
      if (engine.name === 'postgres') {
        expect(stderr).toMatch(
          /^sealpush: Back up a database server with its own program: pg_dump --format=custom --no-owner --no-privileges -h 127\.0\.0\.1 -p \d+ -U postgres -d sealpush_test_\w+ -f \S+ - [^\n]+\n$/,
        );
        return;
      }
      const [program, more] =
        engine.name === 'mariadb' ? ['mariadb-dump', ''] : ['mysqldump', ' --set-gtid-purged=OFF'];
      expect(stderr).toMatch(
        new RegExp(
          `^sealpush: Back up a database server with its own program: ${program} --single-transaction ` +
            `--no-tablespaces --hex-blob${more} -h 127\\.0\\.0\\.1 -P \\d+ -u root -p sealpush_test_\\w+ > \\S+ - [^\\n]+\\n$`,
        ),
      );
    });
  }
});
