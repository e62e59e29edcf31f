import { randomUUID } from 'node:crypto';
import { AccountAdministration } from '../../auth/users/account-administration.js';
import { AdministratorsService } from '../../auth/users/administrators.service.js';
import { FileStore } from '../../files/file-store.js';
import type { Totals } from './overview/totals.service.js';
import { TotalsService, countTotals } from './overview/totals.service.js';
import { MAIL_DESTINATION } from '../../platform/mail/mails.service.js';
import { OutboxMessage } from '../../platform/outbox/outbox-message.entity.js';
import { Jobs, ScheduledWork } from '../../platform/scheduling/jobs.js';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../platform/settings/units.js';
import type { TextKey } from '../../texts/text-parameters.js';
import { allAtOnce } from '../../../test/support/concurrent-calls.js';
import { engine } from '../../../test/support/engine.js';
import { encoded } from '../../../test/support/files.js';
import { forAllTests } from '../../../test/support/for-tests.js';
import { after } from '../../../test/support/new-pushes.js';
import { asData, newSignedInUser } from '../../../test/support/page-client.js';
import { startApp } from '../../../test/support/start-app.js';

const SETTINGS = {
  PAGE_REQUESTS_PER_MINUTE: '7654',
  FOOTER_TEXT: '<b>Footer</b>',
  S3_ACCESS_KEY_ID: 'geheim1',
  S3_SECRET_ACCESS_KEY: 'geheim2',
};
/** More than SQLite counts in one statement. */
const PUSHES = 25;

describe('The overview of administrators', () => {
  const running = forAllTests(() => startApp(SETTINGS));
  const administrator = forAllTests(() => newSignedInUser(running));

  beforeAll(() => running.app.get(AdministratorsService).promote(administrator));

  const page = async () => textOf((await administrator.pageClient.get('/admin')).body);
  const count = (now = new Date()) => countTotals(running.dataSource, now);

  it('is where the menu leads, and linked with the list of accounts', async () => {
    const { pageClient } = administrator;
    const home = await pageClient.get('/');
    const accounts = await pageClient.get('/admin/accounts');

    expect(home.body).toContain('href="/admin"');
    expect(accounts.body).toMatch(/<nav class="tabs"[^>]*><a href="\/admin">/);
    expect((await pageClient.get('/admin')).body).toContain('href="/admin/accounts"');
    expect((await (await newSignedInUser(running)).pageClient.get('/')).body).not.toContain('/admin');
  });

  it.each([
    '/admin',
    '/admin/accounts',
    '/admin/audit',
    '/admin/webhooks',
    '/users/token',
    '/users/webhooks',
  ])('has at %s one headline, of which no tab is a copy', async (path) => {
    const { body } = await administrator.pageClient.get(path);
    const tabs = /<nav class="tabs".*?<\/nav>/.exec(body)?.[0] ?? '';

    expect(body.match(/<h1>/g)).toHaveLength(1);
    expect(tabs).toContain(`<a href="${path}" aria-current="page">`);
    expect(tabs).not.toContain(`>${/<h1>(.+?)<\/h1>/.exec(body)?.[1]}<`);
  });

  it('counts accounts, secrets, views and files', async () => {
    const { app, anonymous } = running;
    const before = await count();
    const { email, client } = await running.newUser();
    const made: { url_token: string }[] = await allAtOnce(PUSHES, () =>
      anonymous.push({ payload: 'tulip', expire_after_views: 2 }),
    );
    for (const which of [0, 0, 1]) await anonymous.retrieve(made[which]?.url_token ?? '');
    await client.push({ payload: 'rose', files: encoded([{ name: 'a', content: 'x'.repeat(1234) }]) });
    const administration = app.get(AccountAdministration);
    await administration.disable(await administration.find(email));

    const increase = (from: Totals | undefined, to: Totals | undefined) => ({
      accounts: differences(from?.accounts, to?.accounts),
      pushes: differences(from?.pushes, to?.pushes),
      files: differences(from?.files, to?.files),
    });
    expect(increase(before, await count())).toEqual({
      accounts: { total: 1, disabled: 1 },
      pushes: { active: PUSHES, ended: 1, createdInDay: PUSHES + 1, views: 3 },
      files: { total: 1, bytes: 1234 },
    });
    expect((await count(after(new Date(), 2 * DAY_MS)))?.pushes.createdInDay).toBe(0);
    expect((await count(after(new Date(), 8 * DAY_MS)))?.pushes.active).toBe(0); // past the limit of days
  });

  it('stops counting when the app stops', async () => {
    expect(await countTotals(running.dataSource, new Date(), AbortSignal.abort())).toBeUndefined();
  });

  it('counts once for all who ask, and again after a minute', async () => {
    const totals = new TotalsService(running.dataSource, running.app.get(ScheduledWork));
    const now = new Date();

    const [first, second] = await Promise.all([totals.current(now), totals.current(now)]);
    expect(first?.countedAt).toEqual(now);
    expect(second).toBe(first);
    expect(await totals.current(after(now, MINUTE_MS - SECOND_MS))).toBe(first);
    expect((await totals.current(after(now, MINUTE_MS)))?.countedAt).toEqual(after(now, MINUTE_MS));
  });

  it('does not wait for a count that takes long, and shows the previous one', async () => {
    const work = running.app.get(ScheduledWork);
    const totals = new TotalsService(running.dataSource, work);
    const attempt = jest.spyOn(work, 'run').mockImplementation(() => new Promise(() => undefined));

    expect(await totals.current(new Date(), 0)).toBeUndefined();
    attempt.mockRestore();
    const now = new Date();
    const other = new TotalsService(running.dataSource, work);
    const first = await other.current(now);
    jest.spyOn(work, 'run').mockImplementationOnce(() => new Promise(() => undefined));
    expect(await other.current(after(now, MINUTE_MS), 0)).toBe(first);
  });

  it('shows the numbers, versions and storage, and when jobs have run', async () => {
    await running.app.get(Jobs).run('expiry');

    const text = await page();
    const { accounts } = (await running.app.get(TotalsService).current()) ?? {};
    expect(text).toContain(`Accounts ${accounts?.total} ${accounts?.disabled} disabled`);
    expect(text).toMatch(/In order: Storage [\d.]+ \w+ of [\d.]+ \w+ free, [\d.]+ \w+ of it kept free/);
    expect(text).toMatch(/Sealpush \d+\.\d+\.\d+ · Node\.js \d+\.\d+\.\d+ · running since /);
    const database = { sqlite: 'SQLite', mariadb: 'MariaDB', mysql: 'MySQL', postgres: 'PostgreSQL' }[
      engine.name
    ];
    const size = engine.name === 'sqlite' ? ' · [\\d.,]+ \\w+' : '';
    expect(text).toMatch(new RegExp(`Database ${database} \\d+\\.\\d+\\S* ?${size} Versions`));
    expect(text).toMatch(/In order: Background jobs [1-9] of \d+ have run in this process/);
    expect(text).toMatch(/Expiry Last run on .+? UTC ?\. Removing files of expired secrets No run since/);
  });

  it('names a job that has failed, first of all', async () => {
    const jobs = running.app.get(Jobs);
    const [title] = jobs.titled().map((job) => job.title);
    jest.spyOn(jobs, 'titled').mockReturnValueOnce([{ title: title as TextKey, failedAt: new Date() }]);

    expect(await page()).toMatch(
      /Health Needs attention: Background jobs 0 of 1 have run in this process [^.]+ No run since the start\. Last failure on /,
    );
  });

  it('shows the settings in force without secrets, and nothing of single accounts (H1)', async () => {
    const { email, client } = await running.newUser();
    const made = await client.push({ payload: 'geheim3', name: 'geheim4', note: 'geheim5' });

    const [changed = '', all = ''] = await Promise.all(
      ['/admin', '/admin?settings=all'].map(async (path) => (await administrator.pageClient.get(path)).body),
    );

    expect(rowsOf(changed)).toContain('PAGE_REQUESTS_PER_MINUTE 7654 1200');
    expect(rowsOf(changed)).toContain('LOG_LEVEL error info');
    expect(rowsOf(changed)).toContain('S3_SECRET_ACCESS_KEY set, hidden not set');
    expect(rowsOf(changed).join()).not.toContain('MAX_FILES');
    expect(rowsOf(all)).toContain('MAX_FILES 10 10');
    expect(rowsOf(all)).toContain('MAX_PUSH_SIZE 250 MB 250 MB');
    expect(rowsOf(all)).toContain('EXPIRE_AFTER_DAYS_DEFAULT 7 days 7 days');
    expect(rowsOf(all)).toContain('MASTER_KEYS not set not set');
    expect(rowsOf(all)).toContain('UPLOAD_BYTES_PER_DAY no limit no limit');
    expect(rowsOf(all)).toContain('GENERATOR_AVOID_AMBIGUOUS On On');
    expect(changed).toContain('&lt;b>Footer');
    for (const secret of ['geheim', email, made.url_token]) expect(changed + all).not.toContain(secret);
  });

  it('finds a setting by a part of its name, and repeats no text that is no name', async () => {
    const find = async (text: string) =>
      (await administrator.pageClient.get(`/admin?find=${encodeURIComponent(text)}`)).body;

    expect(rowsOf(await find('max files'))).toEqual(['MAX_FILES 10 10']);
    const none = await find('"><script>alert(1)</script>');
    expect(rowsOf(none)).toEqual([]);
    expect(none).toContain('No setting has this in its name.');
    expect(none).not.toContain('<script>alert');
  });

  it('shows what a mail server said about mails that failed or are sent again, as text (E5)', async () => {
    const now = new Date();
    const row = {
      channel: 'mail',
      destination: MAIL_DESTINATION,
      kind: 'push.link',
      attempts: 1,
      createdAt: now,
    };
    const waits = { nextAttemptAt: after(now, MINUTE_MS), error: 'SMTP 451' };
    const failed = { outcome: 'failed', endedAt: now, error: 'SMTP 550' } as const;
    await running.dataSource.manager.insert(OutboxMessage, [
      { ...row, ...waits, id: randomUUID(), reason: '451 4.7.1 Greylisted, <i>try</i> again' },
      { ...row, ...failed, id: randomUUID(), reason: '550 5.7.1 <script>alert(1)</script>' },
      { ...row, ...failed, id: randomUUID() },
    ]);

    const { body } = await administrator.pageClient.get('/admin');

    expect(textOf(body)).toMatch(
      /Needs attention: Emails and webhooks \d+ waiting · \d+ failed in 30 days · 451 4\.7\.1 Greylisted, &lt;i>try/,
    );
    expect(body).toContain(asData('550 5.7.1 &lt;script>alert(1)&lt;/script>'));
    expect(body).toContain(asData('SMTP 550'));
  });

  it('is shown while the numbers or the disk are not known, too', async () => {
    jest.spyOn(running.app.get(TotalsService), 'current').mockResolvedValueOnce(undefined);
    jest.spyOn(running.app.get(FileStore), 'diskSpace').mockRejectedValueOnce(new Error('EIO'));

    const text = await page();

    expect(text).toContain('Counting takes a while.');
    expect(text).not.toContain('kept free');
  });
});

function differences<Name extends string>(
  from: Record<Name, number> | undefined,
  to: Record<Name, number> | undefined,
): Record<string, number> {
  const names = Object.keys(to ?? {}) as Name[];
  return Object.fromEntries(names.map((name) => [name, (to?.[name] ?? 0) - (from?.[name] ?? 0)]));
}

/** The rows of the settings, without what only narrow screens show. */
function rowsOf(html: string): string[] {
  const rows = html.match(/<tr role="row"><th role="rowheader".*?<\/tr>/g) ?? [];
  return rows.map((row) => textOf(row.replace(/<td role="cell" class="line.*?<\/td>/, '')).trim());
}

function textOf(html: string): string {
  return html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
}
