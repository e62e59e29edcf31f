import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { InstanceAuditEntry } from '../../platform/instance-audit/instance-audit-entry.entity.js';
import { InstanceAudit } from '../../platform/instance-audit/instance-audit.service.js';
import { Log } from '../../platform/logging/log.js';
import { ExpiryService } from '../../pushes/expiry/expiry.service.js';
import { PushKeyRotation } from '../../pushes/key-rotation/push-key-rotation.js';
import { DAY_MS, HOUR_MS } from '../../platform/settings/units.js';
import { newAdministrator, passwordPath } from '../../../test/support/administrator.js';
import { command } from '../../../test/support/command.js';
import { forAllTests, forEachTest, forThisTest } from '../../../test/support/for-tests.js';
import { queryBeside } from '../../../test/support/other-connection.js';
import { makeInstance } from '../../../test/support/instance.js';
import { after } from '../../../test/support/new-pushes.js';
import { newSignedInUser, PageClient, PASSWORD } from '../../../test/support/page-client.js';
import type { RunningApp } from '../../../test/support/start-app.js';
import { startApp } from '../../../test/support/start-app.js';

const NEW_PASSWORD = 'nine tall blue mountains';
const BROWSER = 'Reader/1.0 <b>';

const auditOf = (running: RunningApp) => ({
  audit: () => running.app.get(InstanceAudit),
  all: (kind?: InstanceAuditEntry['kind']) =>
    running.dataSource.manager.find(InstanceAuditEntry, {
      where: kind ? { kind } : {},
      order: { id: 'ASC' },
    }),
  run: (...args: string[]) => command(running.instance, args, { input: NEW_PASSWORD }),
  visitor: () => new PageClient(running.url, { 'User-Agent': BROWSER }),
});

describe('The audit log of the instance', () => {
  const running = forAllTests(startApp);
  const { audit, all, run, visitor } = auditOf(running);
  const allSince = async (before: InstanceAuditEntry[]) => (await all()).slice(before.length);

  it('has sign-ins and failures with the account and the client, and nothing that was typed (H1)', async () => {
    const { id, email } = await newSignedInUser(running);
    const before = await all();
    await visitor().signIn(email, 'geheim');
    await visitor().signIn('geheim'); // people type a password there
    await visitor().signIn(email);

    const client = { ip: '127.0.0.1', userAgent: BROWSER };
    const [wrong, unknown, right] = await allSince(before);
    const byNobody = { actorType: 'visitor', actorId: null, actor: '', ...client };
    expect(wrong).toMatchObject({ kind: 'sign_in_failed', subjectId: id, subject: email, ...byNobody });
    expect(unknown).toMatchObject({ kind: 'sign_in_failed', subjectId: null, subject: '', ...byNobody });
    const byAccount = { actorType: 'account', actorId: id, actor: email, ...client };
    expect(right).toMatchObject({ kind: 'signed_in', subjectId: id, subject: email, ...byAccount });
    expect(JSON.stringify(await all())).not.toContain('geheim');
  });

  it('has what people do with their own accounts', async () => {
    const { id, email, pageClient } = await newSignedInUser(running);
    const before = await all();
    const created = await pageClient.post('/users/token', { name: 'deploy' });
    const revoke = /\/users\/token\/([\w-]+)\/revoke/.exec(created.body) ?? [];
    await pageClient.post(revoke[0] ?? '');
    await pageClient.post('/users/edit/email', { email: `new-${email}`, password: PASSWORD });
    await pageClient.post('/users/edit/password', { new_password: NEW_PASSWORD, password: PASSWORD });
    await pageClient.post('/users/sign_out_everywhere');
    await pageClient.signIn(`new-${email}`, NEW_PASSWORD);
    await pageClient.post('/users/edit/delete', { password: NEW_PASSWORD });

    const found = await allSince(before);
    expect(found.map(({ kind, subject, details }) => [kind, subject, details])).toEqual([
      ['token_created', email, { token: revoke[1] }],
      ['token_revoked', email, { token: revoke[1] }],
      ['email_changed', `new-${email}`, { previous_email: email }],
      ['password_set', `new-${email}`, {}],
      ['signed_out_everywhere', `new-${email}`, {}],
      ['signed_in', `new-${email}`, {}],
      ['account_deleted', `new-${email}`, {}],
    ]);
    expect(found.every(({ actorId, subjectId }) => actorId === id && subjectId === id)).toBe(true);
  });

  it('has what administrators do, as theirs, and links for passwords without the link (H1)', async () => {
    const admin = await newAdministrator(running);
    const before = await all();
    const email = `${randomUUID()}@example.org`;
    const path = passwordPath((await admin.pageClient.post('/admin/accounts', { email })).body);
    const id = (await all('account_created')).at(-1)?.subjectId ?? '';
    await visitor().post(path, { new_password: NEW_PASSWORD });
    const act = (name: string) =>
      admin.pageClient.post(`/admin/accounts/${id}/${name}`, { password: PASSWORD });
    for (const name of ['password_link', 'promote', 'demote', 'disable', 'enable', 'delete']) await act(name);

    const found = await allSince(before);
    expect(found.map(({ kind, actor, actorType }) => [kind, actor || actorType])).toEqual([
      ['account_created', admin.email],
      ['password_set', 'visitor'],
      ['password_link_created', admin.email],
      ['administrator_added', admin.email],
      ['administrator_removed', admin.email],
      ['account_disabled', admin.email],
      ['account_enabled', admin.email],
      ['account_deleted', admin.email],
    ]);
    expect(new Set(found.map(({ subject }) => subject))).toEqual(new Set([email]));
    expect(JSON.stringify(found)).not.toContain(path.split('/').at(-1));
  });

  it('has what commands do, which the service then logs once', async () => {
    const before = await all();
    const { stdout } = await run('user:create', 'ada@example.org', '--password-stdin', '--administrator');
    expect(stdout.trim().split('\n')).toHaveLength(1);
    for (const name of ['disable', 'enable', 'revoke-admin', 'grant-admin', 'password', 'delete'])
      expect((await run(`user:${name}`, 'ada@example.org')).stderr).toBe('');
    for (const name of ['keys:rotate', 'pushes:purge', 'audit:export']) await run(name);

    const found = await allSince(before);
    expect(found.map(({ kind }) => kind)).toEqual([
      ...['account_created', 'administrator_added', 'token_created'],
      ...['account_disabled', 'account_enabled', 'administrator_removed', 'administrator_added'],
      ...['password_set', 'administrator_removed', 'account_deleted'],
      ...['keys_rotated', 'pushes_purged', 'audit_exported'],
    ]);
    for (const { actorType, actor, ip } of found)
      expect([actorType, actor, ip]).toEqual(['command', userInfo().username, '']);
    const events = jest.spyOn(running.app.get(Log), 'event');
    await Promise.all([audit().logCommands(), audit().logCommands()]);
    const logged = events.mock.calls.map(([message, facts]) => [message, (facts as { kind: string }).kind]);
    // two at a time, so that neither waits for the other with its next entry
    expect(logged.sort()).toEqual(found.map(({ kind }) => ['audit', kind]).sort());
  });

  it('has no export that was refused, because its file exists or cannot be created', async () => {
    const before = await all();
    for (const name of ['audit:export', 'export', 'backup'])
      for (const file of ['package.json', join('package.json', 'nothing')])
        expect((await run(name, file)).code).toBe(1);

    expect(await allSince(before)).toEqual([]);
  });

  it('has an export of the database, and what a command began and did not end', async () => {
    const before = await all();
    const file = join(running.instance.dataDir, randomUUID());
    expect((await run('export', file)).code).toBe(0);
    expect(existsSync(file)).toBe(true);
    jest.spyOn(ExpiryService.prototype, 'purge').mockRejectedValueOnce(new Error('interrupted'));
    jest.spyOn(PushKeyRotation.prototype, 'rotate').mockRejectedValueOnce(new Error('interrupted'));
    for (const name of ['pushes:purge', 'keys:rotate']) expect((await run(name)).code).toBe(1);

    expect((await allSince(before)).map(({ kind }) => kind)).toEqual([
      'database_exported',
      'pushes_purged',
      'keys_rotated',
    ]);
  });

  it('has sixty entries of a kind about an account in an hour, the last one marked (I3)', async () => {
    const { pageClient } = await newSignedInUser(running);
    const before = await all();
    for (let i = 0; i < 65; i++) await pageClient.post('/users/token', { name: 'deploy' });
    await pageClient.post('/users/sign_out_everywhere');

    const found = (await allSince(before)).map(({ kind, details }) => [
      kind,
      details.is_last_of_hour ?? false,
    ]);
    expect(found).toEqual([
      ...Array(59).fill(['token_created', false]),
      ['token_created', true],
      ['signed_out_everywhere', false],
    ]);
  });
});

describe('The whole audit log of an instance', () => {
  const running = forEachTest(startApp);
  const { audit, all, run, visitor } = auditOf(running);

  it('has nothing of what was refused', async () => {
    const admin = await newAdministrator(running);
    const before = await all();
    for (const name of ['demote', 'disable', 'delete'])
      await admin.pageClient.post(`/admin/accounts/${admin.id}/${name}`, { password: PASSWORD });
    await admin.pageClient.post('/users/edit/email', { email: 'x', password: PASSWORD });

    expect(await all()).toEqual(before);
  });

  it('is bounded when strangers guess passwords, and says where it ends; the log has the others (I3)', async () => {
    const { email } = await newSignedInUser(running);
    const failed = { kind: 'sign_in_failed' };
    await Promise.all(Array.from({ length: 299 }, () => audit().record('sign_in_failed')));
    const events = jest.spyOn(running.app.get(Log), 'event');
    for (const typed of [email, 'nobody@example.org', email]) await visitor().signIn(typed, 'wrong');

    const found = await all('sign_in_failed');
    expect(found).toHaveLength(300);
    expect(found.map(({ details }) => details.is_last_of_hour ?? false).indexOf(true)).toBe(299);
    const logged = events.mock.calls.filter(([message]) => message === 'audit');
    expect(logged).toEqual(Array(3).fill(['audit', expect.objectContaining(failed)]));
    await visitor().signIn(email);
    expect((await all()).at(-1)?.kind).toBe('signed_in');
  });

  it('names settings that have changed since the last start, once, without their values (H1)', async () => {
    const { instance } = running;
    const changed = { MAX_FILES: '7', OPERATOR_NAME: 'Example Ltd', ADMIN_PASSWORD: NEW_PASSWORD };
    const settings = { ...changed, ADMIN_EMAIL: 'ada@example.org', PORT: '0', METRICS_PORT: '0' };
    for (let start = 0; start < 2; start++) await (await startApp(settings, { instance })).stop();

    const found = await all('settings_changed');
    expect(found).toMatchObject([
      {
        actorType: 'service',
        details: { settings: ['ADMIN_EMAIL', 'ADMIN_PASSWORD', 'MAX_FILES', 'OPERATOR_NAME'] },
      },
    ]);
    expect(JSON.stringify(found)).not.toContain('Example');
    const rows = JSON.stringify(await queryBeside(instance, 'SELECT * FROM settings_in_force'));
    expect(rows).not.toContain(NEW_PASSWORD);
  });

  it('keeps entries for AUDIT_RETENTION_DAYS, also those of deleted accounts (H7)', async () => {
    const { pageClient } = await newSignedInUser(running);
    await pageClient.post('/users/edit/delete', { password: PASSWORD });
    await audit().deleteOld(after(new Date(), 364 * DAY_MS));
    expect(await all('account_deleted')).toHaveLength(1);

    await audit().deleteOld(after(new Date(), 366 * DAY_MS));
    expect(await all()).toEqual([]);
  });

  it('is a page of administrators, newest first, by kind and in pages, that runs no markup (E5)', async () => {
    const admin = await newAdministrator(running);
    await visitor().signIn(admin.email, 'wrong');
    for (let i = 0; i < 51; i++)
      await audit().record('keys_rotated', { now: after(new Date(), i * HOUR_MS) });
    const pages = await Promise.all(
      ['', '?page=2', '?kind=sign_in_failed', '?kind=nothing', '?page=0'].map((query) =>
        admin.pageClient.get(`/admin/audit${query}`),
      ),
    );
    const rows = pages.map(({ body }) => body.split('<tr').length - 2);

    expect(pages.map(({ status }) => status)).toEqual([200, 200, 200, 200, 400]);
    expect(rows[0]).toBe(50);
    expect(pages[0]?.body).not.toContain('Unknown program');
    expect(pages[0]?.body).toContain('href="/admin/audit?page=2"');
    expect(pages[1]?.body).toContain('Unknown program');
    expect(rows[2]).toBe(1);
    expect(rows[3]).toBe(50);
    for (const { body } of pages) expect(body).not.toContain('Reader'); // what a visitor calls its program
  });

  it('is exported by a command as lines, for a period, without what belongs to pushes', async () => {
    const { url_token } = await (await running.newUser()).client.push({ payload: 'tulip' });
    const { stdout } = await run('audit:export', '--instance');
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const [day = ''] = new Date(Date.now() + DAY_MS).toISOString().split('T');

    expect(lines.map(({ kind }) => kind)).toEqual((await all()).map(({ kind }) => kind));
    expect(Object.keys(lines[0] ?? {})).toEqual([
      ...['id', 'created_at', 'kind', 'actor_type', 'actor_id', 'actor'],
      ...['account', 'email', 'ip', 'user_agent', 'details'],
    ]);
    expect(stdout).not.toContain(url_token);
    expect((await run('audit:export', '--instance', '--from', day)).stdout).toBe('');
    expect((await run('audit:export', '--instance', '--until', '2026-01-01')).stdout).toBe('');
  });
});

describe('The audit log of the instance, when a master key is replaced', () => {
  it('has the new and the old one', async () => {
    const instance = await forThisTest(makeInstance());
    const [old, next] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')];
    const first = await startApp({ MASTER_KEYS: old }, { instance });
    await first.stop();
    const running = await forThisTest(startApp({ MASTER_KEYS: `${next},${old}` }, { instance }));
    await command(instance, ['keys:rotate'], { env: { MASTER_KEYS: `${next},${old}` } });
    const entries = await running.dataSource.manager.find(InstanceAuditEntry, { order: { id: 'ASC' } });

    const keys = entries.filter(({ details }) => details.master_key !== undefined);
    expect(keys.map(({ kind }) => kind)).toEqual(['master_key_added', 'master_key_removed']);
    expect(new Set(keys.map(({ details }) => details.master_key)).size).toBe(2);
    expect(JSON.stringify(entries)).not.toContain(old);
  });
});
