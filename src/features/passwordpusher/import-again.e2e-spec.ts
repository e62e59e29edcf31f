import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { RecoveryCode } from '../../auth/entities/recovery-code.entity.js';
import { StoredFile } from '../../files/file.entity.js';
import { FilePurgeService } from '../../files/file-purge.service.js';
import { ExpiryService } from '../../pushes/expiry/expiry.service.js';
import { Push } from '../../pushes/push/push.entity.js';
import { digestOf } from '../../platform/random/random.js';
import { DAY_MS } from '../../platform/settings/units.js';
import { auditKinds } from '../../../test/support/audit-kinds.js';
import { CHILD_ENV } from '../../../test/support/child-env.js';
import { Client } from '../../../test/support/client.js';
import { command } from '../../../test/support/command.js';
import { forEachTest, forThisTest } from '../../../test/support/for-tests.js';
import {
  allRows,
  assertWholePushes,
  countsOf,
  killImport,
  releaseLease,
  untilPushes,
} from '../../../test/support/imports.js';
import { makeInstance } from '../../../test/support/instance.js';
import { PageClient } from '../../../test/support/page-client.js';
import type { PasswordPusher } from '../../../test/support/passwordpusher.js';
import { makePasswordPusher } from '../../../test/support/passwordpusher.js';
import { lockboxed } from '../../../test/support/lockbox.js';
import type { RunningApp } from '../../../test/support/start-app.js';
import { startApp } from '../../../test/support/start-app.js';

describe('A repeated import from PasswordPusher', () => {
  const source = forEachTest(makePasswordPusher);
  const instance = forEachTest(makeInstance);
  let running: RunningApp;

  /** The totals of an import. */
  const importAll = async (...more: string[]) => {
    const { stdout } = await command(instance, [...source.args, ...more]);
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
  };
  const withApp = async (work: () => Promise<void>) => {
    running = await forThisTest(startApp({ RETENTION_DAYS: '1' }, { instance }));
    await work();
    await running.stop();
  };
  const alice = () => new Client(running.url, { Authorization: `Bearer ${source.expected.users[0]?.token}` });

  it('changes nothing', async () => {
    await importAll();
    const before = await allRows(instance);
    const totals = await importAll();

    expect(totals).toMatchObject({
      accounts: { new: 0, joined: 0, already: 4 },
      tokens: 0,
      second_factors: 0,
      pushes: { active: 0, ended: 0, deleted: 0, already: 315, updated: 0, broken: 1 },
      files: 0,
      log_entries: 0,
    });
    expect(await allRows(instance)).toEqual(before);
  });

  it('imports what was broken before, once it is not', async () => {
    await importAll();
    const { key } = source.expected;
    const sealed = lockboxed(key, 'pushes', 'payload_ciphertext', 'found');
    await source.query(
      `UPDATE pushes SET payload_ciphertext = '${sealed}', passphrase_ciphertext = NULL, note_ciphertext = ''
       WHERE id = 13`,
    );

    expect(await importAll()).toMatchObject({ pushes: { active: 1, already: 315, broken: 0 } });
    await withApp(async () => {
      const { url_token } = source.push('unknown key');
      expect((await running.anonymous.retrieve(url_token)).body.payload).toBe('found');
    });
  });

  it('never gives back views, and counts those that were used there in the meantime', async () => {
    await importAll();
    const { url_token } = source.push('text'); // two of five views are used
    await withApp(async () => {
      expect((await running.anonymous.retrieve(url_token)).body.views_remaining).toBe(2);
    });
    const totals = await importAll();
    expect(totals.pushes).toMatchObject({ updated: 0 });

    await addLog(source, 1, 'view');
    expect(await importAll()).toMatchObject({ pushes: { updated: 1 }, log_entries: 1 });
    expect(await importAll()).toMatchObject({ pushes: { updated: 0 }, log_entries: 0 });
    await withApp(async () => {
      expect(await auditKinds(alice(), url_token)).toEqual([
        ...['creation', 'view', 'view', 'creation_email_send', 'view', 'view'],
      ]);
      expect((await running.anonymous.retrieve(url_token)).body).toMatchObject({
        payload: 'correct horse battery staple',
        views_remaining: 0,
      });
      expect((await running.anonymous.retrieve(url_token)).body.payload).toBeNull();
    });
  });

  it('ends what has ended there in the meantime, with its files', async () => {
    await importAll();
    const { url_token } = source.push('files');
    await source.query(
      'UPDATE pushes SET expired = 1, expired_on = created_at, payload_ciphertext = NULL WHERE url_token = ' +
        `'${url_token}'`,
    );
    await addLog(source, 5, 'expire');

    expect(await importAll()).toMatchObject({ pushes: { updated: 1 }, log_entries: 1 });
    await withApp(async () => {
      const own = await running.anonymous.retrieve(url_token);
      expect(own.body).toMatchObject({ payload: null, expired: true, deleted: true, files: [] });
      const push = await running.dataSource.manager.findOneByOrFail(Push, {
        tokenDigest: digestOf(url_token),
      });
      await running.app.get(FilePurgeService).purgePush(push.id);
      expect(await running.dataSource.manager.countBy(StoredFile, { pushId: push.id })).toBe(0);
    });
  });

  it('does not bring back what was removed here: pushes, tokens, accounts', async () => {
    await importAll();
    await withApp(async () => {
      const { url_token } = source.push('text');
      expect((await alice().delete(`/api/v2/pushes/${url_token}`)).status).toBe(200);
      const later = new Date(Date.now() + 1000 * DAY_MS);
      await running.app.get(ExpiryService).purge(later);
      expect((await running.anonymous.retrieve(url_token)).status).toBe(404);
    });
    const list = await command(instance, ['token:list', 'alice@example.com']);
    await command(instance, ['token:revoke', 'alice@example.com', JSON.parse(list.stdout).id]);
    await command(instance, ['user:delete', 'bob@example.com']);
    await addLog(source, 1, 'view');
    await source.query(
      `UPDATE pushes SET url_token = 'a-new-one-of-bob' WHERE url_token = '${source.push('url').url_token}'`,
    );
    const before = await allRows(instance);

    expect(await importAll()).toMatchObject({
      accounts: { new: 0, already: 4 },
      tokens: 0,
      pushes: { active: 0, updated: 0 },
      left_behind: { pushes_of_deleted_accounts: 1 },
    });
    expect(await allRows(instance)).toEqual(before);
    await withApp(async () => {
      expect((await alice().get('/api/v2/pushes/active')).status).toBe(401);
      const bob = source.expected.users[1];
      expect((await new PageClient(running.url).signIn(bob?.email ?? '', bob?.password)).status).toBe(422);
    });
  });

  it('completes one that was killed, with nothing twice', async () => {
    await importAll();
    const whole = await countsOf(instance);
    const interrupted = await forThisTest(makeInstance());
    for (const progress of [0.2, 0.5, 0.8]) {
      await killImport(source, interrupted, Math.floor(314 * progress));
      await releaseLease(interrupted);
      await assertWholePushes(interrupted);
    }
    const { code } = await command(interrupted, source.args);

    expect(code).toBe(1); // two pushes are broken
    expect(await countsOf(interrupted)).toEqual(whole);
  });

  it('has recovery codes that still work when the master key is replaced', async () => {
    const [older, newer] = [randomBytes(32), randomBytes(32)].map((key) => key.toString('base64'));
    const withKeys = (keys: string) => command(instance, source.args, { env: { MASTER_KEYS: keys } });
    await withKeys(older ?? '');
    const both = { env: { MASTER_KEYS: `${newer},${older}` } };
    expect(await command(instance, ['keys:rotate'], both)).toMatchObject({ code: 0 });

    running = await forThisTest(startApp({ MASTER_KEYS: newer ?? '' }, { instance }));
    const { email = '', password, backup_codes = [] } = source.expected.users[0] ?? {};
    const page = new PageClient(running.url);
    await page.signIn(email, password);
    const { status } = await page.post('/users/sign_in/second_factor', { code: backup_codes[3] ?? '' });
    expect([status, await page.isSignedIn()]).toEqual([303, true]);
    expect(await running.dataSource.manager.countBy(RecoveryCode, {})).toBe(15);
  });

  it('has only whole pushes, and a second one at the same time is refused', async () => {
    const child = spawn(process.execPath, ['dist/cli.js', ...source.args], {
      env: { ...CHILD_ENV, ...instance.env },
      stdio: 'ignore',
    });
    await untilPushes(instance, 10);
    const other = await forThisTest(makePasswordPusher());
    const second = await command(instance, other.args);
    child.kill('SIGKILL');
    await once(child, 'exit');

    expect(second).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Another import into this database is running'),
    });
  });
});

const LOG_KINDS = { view: 1, expire: 3 };

async function addLog(source: PasswordPusher, pushId: number, kind: keyof typeof LOG_KINDS): Promise<void> {
  await source.query(
    `INSERT INTO audit_logs (id, created_at, updated_at, kind, push_id, ip)
     SELECT MAX(id) + 1, datetime('now'), datetime('now'), ${LOG_KINDS[kind]}, ${pushId}, '192.0.2.1' FROM audit_logs`,
  );
}
