import { createHash } from 'node:crypto';
import { User } from '../../auth/entities/user.entity.js';
import { DAY_MS } from '../../platform/settings/units.js';
import { cleanFileName } from '../../shared/file-name.js';
import { AuditChainService } from '../../pushes/audit-log/audit-chain.service.js';
import { auditKinds } from '../../../test/support/audit-kinds.js';
import { codeOf } from '../../../test/support/authenticator-app.js';
import { Client } from '../../../test/support/client.js';
import { command } from '../../../test/support/command.js';
import { forAllTests } from '../../../test/support/for-tests.js';
import { makeInstance } from '../../../test/support/instance.js';
import { PageClient } from '../../../test/support/page-client.js';
import type { ExpectedPush } from '../../../test/support/passwordpusher.js';
import { makePasswordPusher, SOURCES } from '../../../test/support/passwordpusher.js';
import { startApp } from '../../../test/support/start-app.js';

/** What PasswordPusher uses when a push has no limits of its own. */
const DEFAULTS = { days: 7, views: 5 };

describe.each(SOURCES)('An import from PasswordPusher on %s', (name) => {
  const source = forAllTests(() => makePasswordPusher(name));
  const instance = forAllTests(makeInstance);
  let imported: { code: number | null; stdout: string; stderr: string };
  let pushes: ExpectedPush[];

  beforeAll(async () => {
    imported = await command(instance, source.args);
    pushes = source.expected.pushes.filter(({ broken }) => broken !== 'payload');
  });
  const running = forAllTests(() => startApp({}, { instance })); // after the import

  const clientOf = (email: string) => {
    const { token } = source.expected.users.find((user) => user.email === email) ?? {};
    return new Client(running.url, { Authorization: `Bearer ${token}` });
  };
  const isEnded = ({ expired, overdue, ...push }: ExpectedPush) =>
    expired || overdue || push.views_counted >= (push.expire_after_views ?? DEFAULTS.views);

  it('reports what it has imported, and by number what it has not', () => {
    const lines = imported.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));

    expect(imported.code).toBe(1);
    expect(imported.stderr).toBe(
      'sealpush: The keys open 313 of 314 pushes that have not expired; the others are left behind.\n',
    );
    expect(lines).toEqual([
      { push: 13, broken: 'no key opens it' },
      {
        push: 14,
        file: 'missing.txt',
        key: expect.stringMatching(/^[a-z0-9]{28}$/),
        missing: 'a file is missing',
      },
      {
        accounts: { new: 4, joined: 0, already: 0, refused: 0 },
        tokens: 2,
        second_factors: 1,
        recovery_codes: 16,
        pushes: { active: 311, ended: 3, deleted: 1, already: 0, updated: 0, broken: 1 },
        files: 4,
        bytes: 370_005,
        log_entries: 630,
        left_behind: {
          missing_files: 1,
          pushes_of_refused_accounts: 0,
          pushes_of_deleted_accounts: 0,
          rights_of_administrators: 0,
          pushes_without_link: 0,
          pushes_shown_as_text: 0,
          passwords_of_unknown_kind: 0,
          accounts_without_their_recovery_codes: 0,
          locks_of_accounts: 0,
        },
      },
    ]);
  });

  it('keeps what owners see of each push: limits, what is left of them, times, name, note and end', async () => {
    const found = new Map<string, any>();
    for (const email of ['alice@example.com', 'bob@example.com']) {
      for (const list of ['active', 'expired']) {
        for (let page = 1; ; page++) {
          const { status, body } = await clientOf(email).get(`/api/v2/pushes/${list}?page=${page}`);
          expect(status).toBe(200);
          for (const push of body) found.set(push.url_token, { ...push, list, email });
          if (body.length === 0) break;
        }
      }
    }

    const owned = pushes.filter(({ owner }) => owner !== null);
    expect(found.size).toBe(owned.length);
    for (const push of owned) {
      const days = push.expire_after_days ?? DEFAULTS.days;
      const views = push.expire_after_views ?? DEFAULTS.views;
      const shown = found.get(push.url_token);
      expect([push.case, shown]).toEqual([
        push.case,
        expect.objectContaining({
          email: push.owner,
          list: isEnded(push) ? 'expired' : 'active',
          kind: push.kind,
          name: push.name,
          note: push.note,
          expire_after_days: days,
          expire_after_views: views,
          views_remaining: Math.max(0, views - push.views_counted),
          deletable_by_viewer: push.deletable_by_viewer ?? false,
          retrieval_step: push.retrieval_step ?? false,
          passphrase_required: push.passphrase !== '' && !isEnded(push),
          expired: isEnded(push),
          deleted: push.deleted,
        }),
      ]);
      // times in the dumps differ by less than a minute
      const created = Date.parse(shown.created_at);
      expect(Math.abs(created - Date.parse(push.created_at))).toBeLessThan(60_000);
      expect(Date.parse(shown.expires_at)).toBe(created + days * DAY_MS);
    }
    const lists = await clientOf('alice@example.com').get('/api/v2/pushes/active');
    const times = lists.body.map((push: { created_at: string }) => push.created_at);
    expect(times).toEqual(times.toSorted().reverse());
  });

  it('keeps the logs with their times, in their order, and chains them', async () => {
    for (const push of pushes.filter(({ owner, case: kind }) => owner !== null && kind !== 'many'))
      expect([push.case, await auditKinds(clientOf(push.owner ?? ''), push.url_token)]).toEqual([
        push.case,
        ['creation', ...push.logs, ...(push.case === 'text' ? ['creation_email_send'] : [])],
      ]);
    const text = pushes.find((push) => push.case === 'text');
    const { body } = await clientOf('alice@example.com').get(`/api/v2/pushes/${text?.url_token}/audit`);
    const times: number[] = body.logs.map((entry: { created_at: string }) => Date.parse(entry.created_at));
    const [created = 0] = times;
    expect(times.slice(0, 3)).toEqual([created, created + 60_000, created + 120_000]);
    expect(body.logs[1]).toMatchObject({
      ip: '203.0.113.202',
      user_agent: 'Mozilla/5.0 (X11; Linux x86_64)',
    });

    await running.app.get(AuditChainService).chainNewEntries();
    const { code, stdout } = await command(instance, ['audit:verify']);
    expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ entries: 630, broken: 0 })]);
  });

  it('opens every push that has not ended with its passphrase, and its files, and counts on from its views', async () => {
    const open = pushes.filter((push) => !isEnded(push));
    for (const push of open) {
      const isProtected = push.passphrase !== '';
      if (isProtected && push.case !== 'many') {
        const { status } = await running.anonymous.retrieve(push.url_token, 'wrong');
        expect([push.case, status]).toEqual([push.case, 401]);
      }
      const { status, body } = await running.anonymous.retrieve(
        push.url_token,
        isProtected ? push.passphrase : undefined,
      );
      const views = push.expire_after_views ?? DEFAULTS.views;
      expect([push.case, status, body.payload, body.views_remaining]).toEqual([
        push.case,
        200,
        push.payload,
        views - push.views_counted - 1,
      ]);
      const there = push.files.filter(({ missing }) => !missing);
      const missing = push.files.filter((file) => file.missing).map(({ name }) => name);
      expect(body.files.map(({ filename }: { filename: string }) => filename)).toEqual(
        there.map((file) => cleanFileName(file.name)),
      );
      expect([push.case, body.missing_files]).toEqual([push.case, missing.length > 0 ? missing : undefined]);
      for (const [index, file] of there.entries()) {
        const bytes = Buffer.from(await (await fetch(body.files[index].url)).arrayBuffer());
        expect([file.name, createHash('sha256').update(bytes).digest('hex')]).toEqual([
          file.name,
          file.sha256,
        ]);
      }
    }
  });

  it('opens none that has ended, could not be opened, or has no views left', async () => {
    for (const push of source.expected.pushes.filter((found) => isEnded(found) && found.broken !== 'payload'))
      expect((await running.anonymous.retrieve(push.url_token)).body).toMatchObject({
        payload: null,
        expired: true,
      });
    for (const push of source.expected.pushes.filter(({ broken }) => broken === 'payload'))
      expect((await running.anonymous.retrieve(push.url_token)).status).toBe(404);
  });

  it('lets everyone sign in with the password they had, which is hashed with argon2id from then on', async () => {
    const users = running.dataSource.getRepository(User);
    for (const { email, password, admin, confirmed, otp_secret } of source.expected.users) {
      const before = await users.findOneByOrFail({ email });
      expect(before).toMatchObject({ administrator: admin, emailUnverified: !confirmed });
      expect(before.passwordHash).toMatch(/^\$2a\$12\$/);
      const page = new PageClient(running.url);
      expect((await page.signIn(email, `${password}!`)).status).toBe(422);

      const { status, headers } = await page.signIn(email, password);
      expect([email, status, headers.get('location')]).toEqual([
        email,
        303,
        otp_secret === null ? '/pushes' : expect.stringContaining('/users/sign_in/second_factor'),
      ]);
      expect(await page.isSignedIn()).toBe(otp_secret === null);
      expect((await users.findOneByOrFail({ email })).passwordHash).toMatch(/^\$argon2id\$/);
      expect((await new PageClient(running.url).signIn(email, password)).status).toBe(303);
    }
    expect(await users.findOneByOrFail({ email: 'bob@example.com' })).toMatchObject({ language: 'de' });
  });

  it('asks for the second factor they had, and takes each of their recovery codes once', async () => {
    const [alice] = source.expected.users;
    if (!alice?.otp_secret) throw new Error('there is no second factor');
    const signIn = async (code: string) => {
      const page = new PageClient(running.url);
      await page.signIn(alice.email, alice.password);
      const { status } = await page.post('/users/sign_in/second_factor', { code });
      return [status, await page.isSignedIn()];
    };
    const [first = '', second = ''] = alice.backup_codes;

    expect(await signIn('0000000000')).toEqual([422, false]);
    expect(await signIn(await codeOf(alice.otp_secret))).toEqual([303, true]);
    expect(await signIn(first)).toEqual([303, true]);
    expect(await signIn(first)).toEqual([422, false]);
    expect(await signIn(second.toUpperCase())).toEqual([303, true]);
  });
});
