import { readFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { DailyUsage } from '../../src/auth/quotas/daily-quota.js';
import { auditKinds } from '../support/audit-kinds.js';
import { expectedDigests, linesOf, sha256 } from '../support/audit-log.js';
import { command } from '../support/command.js';
import type { FixtureContents } from '../support/fixture.js';
import { copyOfVersion } from '../support/fixture.js';
import { forAllTests } from '../support/for-tests.js';
import { makeInstance, makeNewInstance } from '../support/instance.js';
import { queryBeside } from '../support/other-connection.js';
import { PageClient } from '../support/page-client.js';
import { run } from '../support/run.js';
import { startApp } from '../support/start-app.js';

/** See test/fixtures/README.md. */
const VERSIONS = ['3.0.0'];

interface Vector {
  name: string;
  payload: string;
  proof: string;
}
const {
  pushes: [sealed],
} = JSON.parse(readFileSync('test/end-to-end/vectors.json', 'utf8')) as { pushes: Vector[] };

describe.each(VERSIONS)('The data of version %s', (version) => {
  let made: FixtureContents;
  const instance = forAllTests(async () => {
    const copy = await copyOfVersion(version);
    made = copy.made;
    return copy.instance;
  });
  const running = forAllTests(() => startApp({}, { instance }));
  const owner = forAllTests(() => running.anonymous.with({ Authorization: `Bearer ${made.token}` }));

  const retrieved = async (name: keyof FixtureContents['pushes'], passphrase?: string) =>
    (await running.anonymous.retrieve(made.pushes[name], passphrase)).body;

  it('is brought to the schema of this version', async () => {
    const { upQueries } = await running.dataSource.driver.createSchemaBuilder().log();

    expect(upQueries.map(({ query }) => query)).toEqual([]);
    expect((await running.anonymous.get('/ready')).status).toBe(200);
  });

  it('can be moved to another database', async () => {
    const target = await makeNewInstance();
    await cp(join(instance.dataDir, 'master.key'), join(target.dataDir, 'master.key'));
    const file = join(target.dataDir, 'export');
    const exported = await command(instance, ['export', file]);
    const imported = await command(target, ['import', file]);
    await target.destroy();

    expect(imported).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(imported.stdout).rows).toEqual(JSON.parse(exported.stdout).rows);
  });

  it('has the lists and the audit log of its owner, whose token works', async () => {
    const urlTokens = async (list: string) =>
      (await owner.get(`/api/v2/pushes/${list}`)).body.map((push: any) => push.url_token).sort();
    const { text, url, qr, file, passphrase, clientEncrypted, expired, deleted, overdue } = made.pushes;

    expect(await urlTokens('active')).toEqual([text, url, qr, file, passphrase, clientEncrypted].sort());
    expect(await urlTokens('expired')).toEqual([expired, deleted, overdue].sort());
    expect(await auditKinds(owner, text)).toEqual(['creation', 'view']);
    expect(await auditKinds(owner, passphrase)).toEqual(['creation', 'failed_passphrase']);
    expect(await auditKinds(owner, file)).toEqual(['creation', 'view', 'file_download']);
    const { body } = await owner.get(`/api/v2/pushes/${text}/preview`);
    expect(body.url).toContain(text);
  });

  it('has the log of all pushes of its owner, chained from the first entry on', async () => {
    const { body } = await owner.get('/api/v2/audit');
    const lines = linesOf(body as string);
    const urlTokens = Object.entries(made.pushes).filter(([name]) => name !== 'anonymous');

    expect(new Set(lines.map(({ push }) => push))).toEqual(
      new Set(urlTokens.map(([, urlToken]) => sha256(urlToken))),
    );
    expect(lines.map(({ digest }) => digest)).toEqual(expectedDigests(body as string));
    expect(lines.map(({ created_at: at }) => at)).toEqual(lines.map(({ created_at: at }) => at).sort());
    expect((await command(instance, ['audit:verify'])).code).toBe(0);
  });

  it('can be retrieved, and views that were used stay used', async () => {
    expect(await retrieved('text')).toMatchObject({ payload: 'tulips at noon', views_remaining: 3 });
    expect(await retrieved('url')).toMatchObject({ kind: 'url', payload: 'https://example.org/tulips' });
    expect(await retrieved('qr')).toMatchObject({ kind: 'qr', payload: 'tulips as a square' });
    expect(await retrieved('anonymous')).toMatchObject({ payload: 'from nobody' });
    for (const name of ['expired', 'deleted', 'overdue'] as const)
      expect(await retrieved(name)).toMatchObject({
        payload: null,
        expired: true,
        deleted: name === 'deleted',
      });
  });

  it('opens with its passphrase only', async () => {
    expect(await retrieved('passphrase', 'correct hors')).toMatchObject({ status: 'unauthorized' });
    expect(await retrieved('passphrase', 'correct horse')).toMatchObject({ payload: 'tulips behind a door' });
    expect(await retrieved('clientEncrypted', sealed?.proof)).toMatchObject({
      client_encrypted: true,
      payload: sealed?.payload,
    });
  });

  it('has its files', async () => {
    const { files } = await retrieved('file');

    expect(files).toMatchObject([{ filename: 'Tulpen für Ada.txt' }]);
    expect((await running.anonymous.get(new URL(files[0].url).pathname)).body).toBe('a file of tulips');
  });

  it('has what its account uploaded that day', async () => {
    expect(await running.dataSource.manager.find(DailyUsage)).toMatchObject([
      { day: expect.stringMatching(/^2026-/), bytes: 16, mails: 0 },
    ]);
  });

  it('lets its account sign in, which finds its pushes', async () => {
    const pageClient = new PageClient(running.url);
    await pageClient.signIn(made.email, made.password);

    expect((await pageClient.get('/pushes')).body).toContain('spring');
  });
});

describe('A database of a newer version', () => {
  const instance = forAllTests(makeInstance);

  beforeAll(async () => {
    await (await startApp({}, { instance })).stop();
  });

  const query = async (sql: string) => {
    return queryBeside(instance, sql);
  };
  const withMigrations = async (names: string[], work: () => Promise<void>) => {
    for (const name of names)
      await query(`INSERT INTO migrations (timestamp, name) VALUES (${name.slice(-13)}, '${name}')`);
    try {
      await work();
    } finally {
      for (const name of names) await query(`DELETE FROM migrations WHERE name = '${name}'`);
    }
  };
  const REFUSAL =
    /^sealpush: The database was upgraded by a newer version than this one, \d+\.\d+\.\d+, which does not know its migrations Pushes_Roses4000000000000, Pushes_Lilies4000000000001, Files_Irises4000000000002 and 1 more: start the newer version, or restore a backup from before the upgrade \(docs\/operating\/upgrades\.md\)\.\n$/;

  it('is refused by the service and its commands in one sentence, and not changed', async () => {
    const names = [
      'Pushes_Roses4000000000000',
      'Pushes_Lilies4000000000001',
      'Files_Irises4000000000002',
      'Files_Asters4000000000003',
    ];
    await query("DELETE FROM migrations WHERE name LIKE 'Pushes_Initial%'"); // which would run otherwise
    await withMigrations(names, async () => {
      const applied = await query('SELECT name FROM migrations');
      const before = await query('SELECT * FROM leases');
      const refusal = { code: 1, stdout: '', stderr: expect.stringMatching(REFUSAL) };

      expect(await run('main.js', instance)).toEqual(refusal);
      for (const args of [['user:list'], ['migration:run'], ['export', `${instance.dataDir}/export`]])
        expect(await command(instance, args)).toEqual(refusal);
      expect(await query('SELECT * FROM leases')).toEqual(before);
      expect(await query('SELECT name FROM migrations')).toHaveLength(applied.length);
    });
    expect((await command(instance, ['migration:run'])).code).toBe(0);
  });

  it('is refused in one sentence if a build from before the first release made it', async () => {
    await withMigrations(['SaidReasons1766700000000'], async () => {
      expect(await run('main.js', instance)).toEqual({
        code: 1,
        stdout: '',
        stderr:
          'sealpush: The database was made by a build from before the first release, whose schema this version cannot upgrade.\n',
      });
    });
  });

  it('is not refused because of a module that this program does not have', async () => {
    await withMigrations(['Notices_Seen4000000000000'], async () => {
      expect(await command(instance, ['migration:run'])).toMatchObject({ code: 0, stderr: '' });
    });
  });
});
