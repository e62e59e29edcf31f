import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { Client } from '../../../test/support/client.js';
import { command } from '../../../test/support/command.js';
import { blockOf } from '../../../test/support/documents.js';
import { expectedDigests, linesOf, sha256 } from '../../../test/support/audit-log.js';
import { fillAuditLog } from '../../../test/support/fill-audit-log.js';
import { makeFolder } from '../../../test/support/folder.js';
import { forAllTests, forEachTest } from '../../../test/support/for-tests.js';
import { connectBeside } from '../../../test/support/other-connection.js';
import type { Run } from '../../../test/support/run.js';
import { run } from '../../../test/support/run.js';
import { startApp } from '../../../test/support/start-app.js';

const SECRET = { payload: 'tulips at noon', passphrase: 'correct horse', name: 'spring', note: 'for Ada' };

describe('The commands for the audit log', () => {
  const running = forEachTest(startApp);
  const owner = forEachTest(() => running.newUser());
  const other = forEachTest(() => connectBeside(running.instance));
  const folder = forAllTests(makeFolder);

  const audit = (...args: string[]) => command(running.instance, args);
  const newFile = () => join(folder.path, uuidv7());

  /** The url_token of a push with four chained entries, of which the last is an `expire`. */
  async function chained(client: Client = owner.client): Promise<string> {
    const { url_token } = await client.push({ ...SECRET, deletable_by_viewer: true });
    for (const passphrase of ['wrong', SECRET.passphrase])
      await running.anonymous.retrieve(url_token, passphrase);
    await client.delete(`/api/v2/pushes/${url_token}`);
    return url_token;
  }

  it('export the log of all accounts to a new file, without secrets', async () => {
    const tokens = [await chained(), await chained(running.anonymous), await chained()];
    const file = newFile();
    const done = await audit('audit:export', file);
    const text = await readFile(file, 'utf8');
    const lines = linesOf(text);

    expect(done).toEqual({ code: 0, stderr: '', stdout: `${JSON.stringify({ file, entries: 12 })}\n` });
    expect(lines.map((line: any) => [line.account, line.push, line.kind, line.id])).toEqual(
      tokens.flatMap((token, i) =>
        ['creation', 'failed_passphrase', 'view', 'expire'].map((kind, k) => [
          i === 1 ? null : owner.id,
          sha256(token),
          kind,
          (i === 2 ? 5 : 1) + k,
        ]),
      ),
    );
    expect(lines.map(({ digest }) => digest)).toEqual(expectedDigests(text));
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await readdir(folder.path)).filter((name) => name.endsWith('.part'))).toEqual([]);
    for (const secret of [...Object.values(SECRET), ...tokens, owner.email, owner.token])
      expect(text).not.toContain(secret);
  });

  it('export exactly the lines that the owner gets, and the account', async () => {
    await chained();
    const { body } = await owner.client.get('/api/v2/audit');
    const { stdout } = await audit('audit:export');

    expect(stdout.replaceAll(`,"account":"${owner.id}"}`, '}')).toBe(body);
    expect((await audit('audit:export', '-')).stdout).toBe(stdout);
  });

  it('work as docs/operating/audit-logs.md shows them', async () => {
    await chained();
    const file = newFile();
    const session = blockOf('docs/operating/audit-logs.md', 'sh', 'Audit logs of pushes', 'npm run')
      .trim()
      .split('\n');
    const codes: (number | null)[] = [];
    for (const line of session) {
      const args = line.replace('npm run -s cli -- ', '').replace('january.ndjson', file).split(' ');
      codes.push((await audit(...args)).code);
    }

    expect(codes).toEqual([0, 0]);
    expect(await readFile(file, 'utf8')).toBe('');
  });

  it('export a long log to standard output', async () => {
    await chained();
    const [{ id }] = await other.query('SELECT id FROM pushes');
    await fillAuditLog(running.dataSource, id as string, 1200);
    const { code, stdout, stderr } = await run('cli.js', running.instance, { args: ['audit:export'] });

    expect([code, stderr]).toEqual([0, '']);
    expect(linesOf(stdout).map(({ digest }) => digest)).toEqual(expectedDigests(stdout));
    expect(linesOf(stdout)).toHaveLength(1204);
  });

  it('export a period', async () => {
    await chained();
    const days = [
      '2026-01-31 23:59:59.999',
      '2026-02-01 00:00:00.000',
      '2026-02-01 12:00:00.000',
      '2026-02-02 00:00:00.000',
    ];
    const entries = await other.query('SELECT id FROM audit_entries ORDER BY id');
    for (const [i, day] of days.entries())
      await other.query('UPDATE audit_entries SET created_at = ? WHERE id = ?', [day, entries[i].id]);
    const kinds = async (...args: string[]) =>
      linesOf((await audit('audit:export', ...args)).stdout).map(({ kind }) => kind);

    expect(await kinds('--from', '2026-02-01')).toEqual(['failed_passphrase', 'view', 'expire']);
    expect(await kinds('--until', '2026-02-01')).toEqual(['creation']);
    expect(await kinds('--from', '2026-02-01', '--until', '2026-02-02')).toEqual([
      'failed_passphrase',
      'view',
    ]);
    expect(await kinds('--from', '2026-02-01T00:00:00.001Z', '--until', '2026-02-01T12:00:00.001Z')).toEqual([
      'view',
    ]);
    expect(await kinds('--from', '2030-01-01')).toEqual([]);
  });

  it('find the entries of a period by their ids', async () => {
    await chained();
    const now = Date.now();
    const around = [new Date(now - 60_000).toISOString(), new Date(now + 60_000).toISOString()];
    const { stdout } = await audit('audit:export', '--from', around[0] ?? '', '--until', around[1] ?? '');

    expect(linesOf(stdout)).toHaveLength(4);
  });

  it('refuse what is no time', async () => {
    const times = ['yesterday', '2026-02-31', '2026-13-01', '2026-01-01T25:00Z', '2026-01-01T00:00', ''];
    for (const text of times)
      expect([text, await audit('audit:export', '--from', text)]).toMatchObject([
        text,
        { code: 2, stdout: '', stderr: expect.stringContaining('It must be a day or a time in UTC') },
      ]);
  });

  it('overwrite no file, and leave none behind', async () => {
    const file = newFile();
    await writeFile(file, 'mine');
    const there = await audit('audit:export', file);
    const nowhere = await audit('audit:export', join(file, 'below'));

    expect(there).toEqual({
      code: 1,
      stdout: '',
      stderr: `sealpush: ${file} already exists, and nothing is overwritten.\n`,
    });
    expect(nowhere).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('cannot be written (ENOTDIR)'),
    });
    expect(await readFile(file, 'utf8')).toBe('mine');
    expect((await readdir(folder.path)).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('find nothing wrong with chains that nobody has changed', async () => {
    await chained();
    await chained(running.anonymous);

    expect(await audit('audit:verify')).toEqual({
      code: 0,
      stderr: '',
      stdout: `${JSON.stringify({ pushes: 2, entries: 8, unchained: 0, removing: 0, broken: 0 })}\n`,
    });
  });
});

const UPDATE = 'UPDATE audit_entries SET';
const INSERT =
  'INSERT INTO audit_entries (id, push_id, kind, ip, user_agent, referrer, by_owner, created_at, owner_id, number, digest)';

/** What is done to an entry of a push that has four, which one, and where its chain is then broken. */
const TAMPERING: [string, string, number, number | null][] = [
  ['an entry with another kind', `${UPDATE} kind = 'owner_view' WHERE id = ?`, 2, 2],
  ['an entry with another address', `${UPDATE} ip = '192.0.2.99' WHERE id = ?`, 2, 2],
  ['an entry with another user agent', `${UPDATE} user_agent = 'x' WHERE id = ?`, 2, 2],
  ['an entry with another referrer', `${UPDATE} referrer = 'x' WHERE id = ?`, 2, 2],
  ['an entry with another time', `${UPDATE} created_at = '2026-01-01 00:00:00.000' WHERE id = ?`, 2, 2],
  ['an entry with another cause', `${UPDATE} by_owner = true WHERE id = ?`, 2, 2],
  ['an entry with another number', `${UPDATE} number = 99 WHERE id = ?`, 2, 3],
  ['an entry of another account', `${UPDATE} owner_id = 'none' WHERE id = ?`, 2, 2],
  ['an entry with another digest', `${UPDATE} digest = '${'0'.repeat(64)}' WHERE id = ?`, 2, 2],
  ['a removed first entry', 'DELETE FROM audit_entries WHERE id = ?', 1, 2],
  ['a removed entry', 'DELETE FROM audit_entries WHERE id = ?', 2, 3],
  ['a removed last entry', 'DELETE FROM audit_entries WHERE id = ?', 4, null],
  [
    'a log that was removed as a whole',
    'DELETE FROM audit_entries WHERE push_id = (SELECT push_id FROM (SELECT push_id FROM audit_entries WHERE id = ?) AS found)',
    1,
    null,
  ],
  [
    'an inserted entry',
    `${INSERT} SELECT '${uuidv7()}', push_id, kind, ip, 'x', referrer, by_owner, created_at, owner_id, number, digest FROM audit_entries WHERE id = ?`,
    2,
    2,
  ],
  [
    'an inserted last entry',
    `${INSERT} SELECT '${uuidv7()}', push_id, kind, ip, user_agent, referrer, by_owner, created_at, owner_id, 99, digest FROM audit_entries WHERE id = ?`,
    4,
    99,
  ],
];

describe('The check of the audit log', () => {
  const running = forAllTests(startApp);
  const other = forAllTests(() => connectBeside(running.instance));
  /** The digests of the pushes that were tampered with, as `TAMPERING` says. */
  let pushes: string[];
  let intact: string[];
  /** The url_tokens of all pushes by their digests. */
  const tokens = new Map<string, string>();
  let checked: Run;

  beforeAll(async () => {
    pushes = [];
    for (let i = 0; i < TAMPERING.length; i++) pushes.push(await chainedPush());
    intact = [await chainedPush(), await chainedPush(running.anonymous)];
    expect((await command(running.instance, ['audit:verify'])).code).toBe(0);
    for (const [i, [, sql, entry]] of TAMPERING.entries()) await tamper(sql, i, entry);
    checked = await command(running.instance, ['audit:verify']);
  }, 120_000);

  const lines = () =>
    checked.stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));

  /** A push of a new account, with four entries. */
  async function chainedPush(client?: Client): Promise<string> {
    const by = client ?? (await running.newUser()).client;
    const { url_token } = await by.push({ payload: 'tulip', expire_after_views: 2 });
    for (let view = 0; view < 3; view++) await running.anonymous.retrieve(url_token);
    tokens.set(sha256(url_token as string), url_token as string);
    return sha256(url_token as string);
  }

  async function tamper(sql: string, push: number, entry: number): Promise<void> {
    const entries = await other.query(
      'SELECT audit_entries.id AS id FROM audit_entries JOIN pushes ON pushes.id = push_id WHERE token_digest = ? ORDER BY number',
      [pushes[push]],
    );
    await other.query(sql, [entries[entry - 1].id]);
  }

  it.each(TAMPERING.map(([what, , , brokenAt], i) => [what, brokenAt, i] as const))(
    'finds %s',
    (_what, brokenAt, i) => {
      expect(lines().filter(({ push }) => push === pushes[i])).toEqual([
        { push: pushes[i], broken_at: brokenAt },
      ]);
    },
  );

  it('finds nothing else, and fails', () => {
    expect(checked.code).toBe(1);
    expect(lines()).toHaveLength(TAMPERING.length + 1);
    expect(lines().at(-1)).toMatchObject({
      pushes: TAMPERING.length + 2,
      removing: 0,
      unchained: 0,
      broken: TAMPERING.length,
    });
    for (const push of intact) expect(checked.stdout).not.toContain(push);
  });

  it('finds a removed last entry after which others were written', async () => {
    const [push = ''] = intact;
    pushes.push(push);
    await tamper('DELETE FROM audit_entries WHERE id = ?', pushes.length - 1, 4);
    await running.anonymous.retrieve(tokens.get(push) ?? '');

    const { stdout } = await command(running.instance, ['audit:verify']);
    expect(stdout).toContain(JSON.stringify({ push, broken_at: 5 }));
  });
});
