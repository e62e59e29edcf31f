import { execFileSync } from 'node:child_process';
import { mkdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hash as bcryptHash } from '@node-rs/bcrypt';
import Database from 'better-sqlite3';
import { StoredFile } from '../../files/file.entity.js';
import { User } from '../../auth/entities/user.entity.js';
import { Push } from '../../pushes/push/push.entity.js';
import { digestOf } from '../../platform/random/random.js';
import { DAY_MS } from '../../platform/settings/units.js';
import { auditKinds, tally } from '../../../test/support/audit-kinds.js';
import { Client } from '../../../test/support/client.js';
import { command } from '../../../test/support/command.js';
import { forEachTest, forThisTest } from '../../../test/support/for-tests.js';
import { makeInstance } from '../../../test/support/instance.js';
import { asData, PageClient } from '../../../test/support/page-client.js';
import { lockboxed } from '../../../test/support/lockbox.js';
import { makePasswordPusher } from '../../../test/support/passwordpusher.js';
import { startApp } from '../../../test/support/start-app.js';

describe('What an import from PasswordPusher finds', () => {
  const source = forEachTest(() => makePasswordPusher());
  const instance = forEachTest(makeInstance);

  const importAll = async (...more: string[]) => {
    const { code, stdout } = await command(instance, [...source.args, ...more]);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    return { code, totals: lines.at(-1), lines: lines.slice(0, -1) };
  };
  const start = () => forThisTest(startApp({}, { instance }));
  const alice = () => source.expected.users[0] ?? { email: '', password: '', token: '' };
  const asAlice = (url: string) => new Client(url, { Authorization: `Bearer ${alice().token}` });
  const sealed = (column: string, text: string) => lockboxed(source.expected.key, 'pushes', column, text);

  const THIRD = '7vgnhm2piof7zb95vq6gx3wpirrl'; // of three files
  const pathOf = (key: string) => join(source.storage, key.slice(0, 2), key.slice(2, 4), key);
  const missing = (reason: string) => ({ push: 5, file: 'x y;z.bin', key: THIRD, missing: reason });

  it('in a file that is not the one that was stored takes over its push with its other files, and says so', async () => {
    await source.query('UPDATE users SET otp_required_for_login = false WHERE id = 1');
    await rm(pathOf(THIRD));
    const { code, lines, totals } = await importAll();
    expect([code, lines]).toEqual([1, expect.arrayContaining([missing('a file is missing')])]);
    expect(totals).toMatchObject({ files: 3, left_behind: { missing_files: 2 } });

    const { url, anonymous } = await start();
    const { url_token, payload } = source.push('files');
    const { body } = await anonymous.retrieve(url_token);
    expect(body).toMatchObject({ payload, missing_files: ['x y;z.bin'] });
    expect(body.files.map((file: { filename: string }) => file.filename)).toEqual([
      'Übersicht 2026.pdf',
      'empty.txt',
    ]);
    const page = new PageClient(url);
    const opened = (await page.post(`/p/${url_token}`)).body;
    expect(opened).toContain('1 file was already missing when this secret was moved to this server');
    expect(opened).toContain(`<li>${asData('x y;z.bin')}</li>`);
    const archive = /href="([^"]+\/files\/all\/[^"]+)"/.exec(opened)?.[1] ?? '';
    expect((await fetch(archive)).status).toBe(200);
    await page.signIn(alice().email, alice().password);
    expect((await page.get(`/p/${url_token}/audit`)).body).toContain(`<li>${asData('x y;z.bin')}</li>`);
    expect((await page.get(`/p/${source.push('text').url_token}/audit`)).body).not.toContain('missing-files');
  });

  it('in a push whose only file is missing takes over its text', async () => {
    await source.query(`DELETE FROM active_storage_attachments WHERE record_id = 5 AND blob_id <> 3`);
    await rm(pathOf(THIRD));
    await importAll();
    const { url } = await start();
    const { url_token } = source.push('files');
    const { body } = await new PageClient(url).post(`/p/${url_token}`);

    expect(body).toContain('three files');
    expect(body).toContain(`<li>${asData('x y;z.bin')}</li>`);
    expect(body).not.toContain('/files/');
  });

  it('in a missing file adds it once it is there, with the key of its push, and only while the push has not ended', async () => {
    const bytes = await readFile(pathOf(THIRD));
    for (const [damage, reason] of [
      [() => truncate(pathOf(THIRD), 300_000), 'a file is not the one that was stored'],
      [() => writeFile(pathOf(THIRD), Buffer.alloc(300_001)), 'a file is not the one that was stored'],
      [() => rm(pathOf(THIRD)), 'a file is missing'],
      [() => mkdir(pathOf(THIRD)), 'a file cannot be read (EISDIR)'],
    ] as const) {
      await damage();
      expect((await importAll()).lines).toContainEqual(missing(reason));
    }
    const stored = () =>
      execFileSync('find', [join(instance.dataDir, 'files'), '-mindepth', '2', '-type', 'f'])
        .toString()
        .split('\n').length - 1;
    expect(stored()).toBe(3);
    await rm(pathOf(THIRD), { recursive: true });
    await writeFile(pathOf(THIRD), bytes);

    const dry = await importAll('--dry-run');
    const { totals, lines } = await importAll();
    expect(dry.totals).toEqual({ dry_run: true, ...totals });
    expect(totals).toMatchObject({ pushes: { active: 0, already: 315 }, files: 1, bytes: 300_001 });
    expect(lines).not.toContainEqual(expect.objectContaining({ push: 5 }));
    expect(stored()).toBe(4);
    expect((await importAll()).totals).toMatchObject({ files: 0 });
    const { anonymous } = await start();
    const { body } = await anonymous.retrieve(source.push('files').url_token);
    expect(body.missing_files).toBeUndefined();
    expect(Buffer.from(await (await fetch(body.files[2].url)).arrayBuffer()).equals(bytes)).toBe(true);
  });

  it('in a missing file of a push with a passphrase is named only to whoever has that, and can still be added', async () => {
    const bytes = await readFile(pathOf(THIRD));
    await source.query('UPDATE users SET otp_required_for_login = false WHERE id = 1');
    await source.query(
      `UPDATE pushes SET passphrase_ciphertext = '${sealed('passphrase_ciphertext', 'open sesame')}' WHERE id = 5`,
    );
    await rm(pathOf(THIRD));
    await importAll();
    const before = await start();
    const page = new PageClient(before.url);
    await page.signIn(alice().email, alice().password);
    const { body } = await page.get(`/p/${source.push('files').url_token}/audit`);
    await before.stop();
    await writeFile(pathOf(THIRD), bytes);
    await importAll();
    const { anonymous } = await start();
    const opened = await anonymous.retrieve(source.push('files').url_token, 'open sesame');

    expect(body).toContain('1 file was already missing');
    expect(body).not.toContain('x y;z.bin');
    expect(opened.body.files).toHaveLength(3);
  });

  it('in a missing file leaves nothing behind when its push ends, and is not added after that', async () => {
    const bytes = await readFile(pathOf(THIRD));
    await rm(pathOf(THIRD));
    await importAll();
    const server = await start();
    const { anonymous, dataSource } = server;
    const { url_token } = source.push('files');
    expect((await anonymous.delete(`/api/v2/pushes/${url_token}`)).status).toBe(200);
    const push = await dataSource.manager.findOneByOrFail(Push, { tokenDigest: digestOf(url_token) });
    expect(await dataSource.manager.countBy(StoredFile, { pushId: push.id })).toBe(0);
    await server.stop();
    await writeFile(pathOf(THIRD), bytes);

    expect((await importAll()).totals).toMatchObject({ files: 0 });
  });

  it.each(['../../../../etc/passwd', 'ab', 'a/b/c/d', ''])(
    'in the key of a file (%j) is no path',
    async (key) => {
      await source.query(`UPDATE active_storage_blobs SET key = '${key}' WHERE id = 1`);

      expect((await importAll()).lines).toContainEqual(
        expect.objectContaining({ push: 5, key, missing: 'a file has an unknown key' }),
      );
    },
  );

  it('in addresses that we do not tell apart refuses the second account, and leaves its pushes', async () => {
    await source.query("UPDATE users SET email = 'ＡＬＩＣＥ@example.com' WHERE id = 2"); // full-width letters
    const { code, lines, totals } = await importAll();

    expect(code).toBe(1);
    expect(lines).toContainEqual({ account: 2, refused: 'its email address is that of account 1' });
    expect(totals).toMatchObject({ accounts: { new: 3, refused: 1 }, tokens: 1 });
    const bobs = source.expected.pushes.filter(({ owner }) => owner === 'bob@example.com');
    expect(totals.left_behind.pushes_of_refused_accounts).toBe(bobs.length);

    await source.query("UPDATE users SET email = 'bob@example.com' WHERE id = 2");
    expect((await importAll()).totals).toMatchObject({ accounts: { new: 1, already: 3 }, tokens: 1 });
    expect((await importAll()).totals.pushes).toMatchObject({ already: 315 });
  });

  it('as an account that is here and verified is joined to it, which keeps its password', async () => {
    const password = 'another one that is long';
    await command(instance, ['user:create', alice().email, '--password-stdin'], { input: password });
    const { totals } = await importAll();

    expect(totals).toMatchObject({ accounts: { new: 3, joined: 1 }, tokens: 2, second_factors: 0 });
    const { url } = await start();
    expect((await asAlice(url).get('/api/v2/pushes/active')).body).not.toEqual([]);
    expect((await new PageClient(url).signIn(alice().email, password)).headers.get('location')).toBe(
      '/pushes',
    );
    expect((await new PageClient(url).signIn(alice().email, alice().password)).status).toBe(422);
  });

  it.each([
    ['there', 'UPDATE users SET confirmed_at = NULL WHERE id = 1'],
    ['there, where no mails were sent', 'UPDATE users SET confirmed_at = NULL'],
  ])('as an account whose address was not verified %s is not joined to one that is here', async (_, sql) => {
    await command(instance, ['user:create', alice().email]);
    await source.query(sql);
    const { lines, totals } = await importAll('--existing', 'bob@example.com');

    expect(lines[0]).toEqual({ account: 1, refused: expect.stringContaining('name it in --existing') });
    expect(totals).toMatchObject({ accounts: { new: 3, joined: 0, refused: 1 } });
    const { url } = await start();
    expect((await asAlice(url).get('/api/v2/pushes/active')).status).toBe(401); // whoever has her token there
  });

  it('as an account whose address was not verified here is refused, unless the operator names it', async () => {
    const { url, dataSource } = await start();
    const stranger = new PageClient(url);
    await stranger.post('/users/sign_up', { email: alice().email, password: 'a stranger who came first' });
    const found = await dataSource.manager.findOneBy(User, { email: alice().email });
    expect(found).toMatchObject({ emailUnverified: true });

    const { lines, totals } = await importAll();
    expect(lines[0]).toEqual({ account: 1, refused: expect.stringContaining('name it in --existing') });
    expect(totals).toMatchObject({ accounts: { new: 3, refused: 1 }, tokens: 1 });
    expect((await asAlice(url).get('/api/v2/pushes/active')).status).toBe(401);

    const joined = await importAll('--existing', `x@example.com, ${alice().email.toUpperCase()}`);
    expect(joined.totals).toMatchObject({ accounts: { joined: 1 }, tokens: 1 });
    expect((await asAlice(url).get('/api/v2/pushes/active')).status).toBe(200);
  });

  it('that no column here can have leaves out one push or account, not all', async () => {
    const { key } = source.expected;
    const long = sealed('note_ciphertext', 'x'.repeat(70_000));
    await source.query(
      `UPDATE pushes SET note_ciphertext = '${long}' WHERE id = 1;
       UPDATE pushes SET created_at = 'infinity' WHERE id = 2;
       UPDATE pushes SET updated_at = '0000-00-00 00:00:00', expire_after_views = 3000000000 WHERE id = 3;
       UPDATE pushes SET expired_on = 'infinity', updated_at = 'x' WHERE url_token = '${source.push('deleted').url_token}';
       UPDATE pushes SET url_token = 'a b' WHERE id = 4;
       UPDATE audit_logs SET created_at = 'infinity' WHERE id = 3;
       UPDATE users SET last_otp_timestep = 99999999999, preferred_language = 'constructor' WHERE id = 1;
       UPDATE users SET email = 'root@localhost' WHERE id = 4`,
    );
    expect(key).toHaveLength(64);
    const dry = await importAll('--dry-run');
    const { code, lines, totals } = await importAll();

    expect(code).toBe(1);
    expect(lines).toEqual(
      expect.arrayContaining([
        { push: 1, broken: 'its name or note is too long' },
        { push: 2, broken: 'its time of creation is unknown' },
        { account: 4, refused: expect.any(String) },
      ]),
    );
    expect(totals).toMatchObject({
      accounts: { new: 3, refused: 1 },
      pushes: { active: 308, broken: 3 },
      left_behind: { pushes_without_link: 1 },
    });
    expect(dry.totals).toEqual({ dry_run: true, ...totals });
  });

  it('of an account with a second factor that no key opens is refused: it would be less protected', async () => {
    await source.query("UPDATE users SET otp_secret_ciphertext = 'AAAA' WHERE id = 1");

    expect((await importAll()).lines).toContainEqual({
      account: 1,
      refused: 'no key opens its second factor',
    });
  });

  it('that cannot be kept is counted: locks, passwords of another kind, recovery codes without their key', async () => {
    await source.query(
      `UPDATE users SET locked_at = datetime('now') WHERE id = 2;
       UPDATE users SET encrypted_password = '$2a$15$' || substr(encrypted_password, 8) WHERE id = 2;
       UPDATE users SET encrypted_password = 'plain' WHERE id = 3`,
    );
    const at = source.args.indexOf('--secret-key-base-file');
    const { stdout } = await command(instance, source.args.toSpliced(at, 2));

    expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
      second_factors: 1,
      recovery_codes: 0,
      left_behind: {
        passwords_of_unknown_kind: 2,
        accounts_without_their_recovery_codes: 1,
        locks_of_accounts: 1,
      },
    });
  });

  it('in passwords that are too long for bcrypt keeps their hash: what it does not check may be mistyped', async () => {
    const long = 'x'.repeat(72);
    const hash = await bcryptHash(`${long} right`, 4);
    await source.query(`UPDATE users SET encrypted_password = '${hash}' WHERE id = 2`);
    await importAll();

    const { url, dataSource } = await start();
    const email = 'bob@example.com';
    for (const end of [' wrong', ' right'])
      expect((await new PageClient(url).signIn(email, long + end)).status).toBe(303);
    expect(await dataSource.manager.findOneBy(User, { email })).toMatchObject({ passwordHash: hash });
    expect((await new PageClient(url).signIn(email, long.slice(1))).status).toBe(422);
  });

  it('when nobody has confirmed an address: there were no mails, so all are verified', async () => {
    await source.query('UPDATE users SET confirmed_at = NULL');
    await importAll();

    const { dataSource } = await start();
    expect(await dataSource.manager.countBy(User, { emailUnverified: true })).toBe(0);
  });

  it('in odd pushes is kept as far as it can be', async () => {
    const url = sealed('payload_ciphertext', 'javascript:alert(1)');
    const passphrase = sealed('passphrase_ciphertext', 'x'.repeat(300));
    await source.query(
      `UPDATE pushes SET payload_ciphertext = '${url}' WHERE id = 3;
       UPDATE pushes SET kind = 9 WHERE id = 4;
       UPDATE pushes SET expire_after_days = 2000000000, expire_after_views = 2000000000 WHERE id = 1;
       UPDATE pushes SET passphrase_ciphertext = '${passphrase}' WHERE id = 2;
       UPDATE pushes SET url_token = NULL WHERE id = 6;
       UPDATE audit_logs SET user_agent = '${'x'.repeat(5000)}', referrer = 'https://x.example/p/vbxaqccvo_mice4',
         ip = '${'1'.repeat(60)}' WHERE id = 2;
       UPDATE audit_logs SET kind = 77, ip = NULL, referrer = NULL WHERE id = 3`,
    );
    const { lines, totals } = await importAll();

    expect(lines).toContainEqual({ push: 4, broken: 'its kind is unknown' });
    expect(lines).toContainEqual({ push: 2, broken: 'its passphrase is too long' });
    expect(totals.left_behind).toMatchObject({ pushes_without_link: 1, pushes_shown_as_text: 1 });
    const { url: base, dataSource } = await start();
    const { body } = await new Client(base).retrieve(source.push('url').url_token);
    expect(body).toMatchObject({ kind: 'text', payload: 'javascript:alert(1)' });
    const audit = await asAlice(base).get(`/api/v2/pushes/${source.push('text').url_token}/audit`);
    expect(audit.body.logs[1]).toMatchObject({
      ip: '1'.repeat(45),
      user_agent: 'x'.repeat(255),
      referrer: 'https://x.example',
    });
    const [long] = await dataSource.manager.findBy(Push, { expireAfterViews: 2_000_000_000 });
    expect(long).toMatchObject({
      expireAfterDays: 2_000_000_000,
      expiresAt: new Date('9999-12-31T00:00:00Z'),
    });
  });

  it('in a log of thousands of entries is kept whole, and each view is counted', async () => {
    const file = new Database(source.url.slice('sqlite:'.length));
    file.exec('UPDATE pushes SET expire_after_views = 3000 WHERE id = 1');
    const insert = file.prepare(
      "INSERT INTO audit_logs (created_at, updated_at, kind, push_id, ip) VALUES (datetime('now'), datetime('now'), 1, 1, '192.0.2.1')",
    );
    file.transaction(() => {
      for (let i = 0; i < 2500; i++) insert.run();
    })();
    file.close();
    await importAll();

    const { url } = await start();
    const { url_token } = source.push('text');
    expect(tally(await auditKinds(asAlice(url), url_token))).toMatchObject({ view: 2502, creation: 1 });
    expect((await asAlice(url).retrieve(url_token)).body.views_remaining).toBe(3000 - 2502 - 1);
  });

  it('ends after the days that the operator chooses, if it would not end earlier', async () => {
    await importAll('--link-days', '3');

    const { dataSource } = await start();
    const active = (await dataSource.manager.find(Push)).filter((push) => !push.isExpired(new Date()));
    const latest = Math.max(...active.map(({ expiresAt }) => expiresAt.getTime()));
    expect(Math.abs(latest - Date.now() - 3 * DAY_MS)).toBeLessThan(5 * 60_000);
  });
});
