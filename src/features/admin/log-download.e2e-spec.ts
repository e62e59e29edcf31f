import { randomUUID } from 'node:crypto';
import { UsersService } from '../../auth/users/users.service.js';
import { InstanceAuditEntry } from '../../platform/instance-audit/instance-audit-entry.entity.js';
import { InstanceAudit } from '../../platform/instance-audit/instance-audit.service.js';
import { newAdministrator } from '../../../test/support/administrator.js';
import { forAllTests } from '../../../test/support/for-tests.js';
import { newSignedInUser, PageClient, PASSWORD } from '../../../test/support/page-client.js';
import { startApp } from '../../../test/support/start-app.js';

/** More than are read together. */
const ENTRIES = 501;
const EVIL = '=HYPERLINK("http://evil.example";"x")';

describe('A log that is downloaded from its page', () => {
  const running = forAllTests(startApp);

  const lines = (body: unknown) =>
    (typeof body === 'string' ? body : JSON.stringify(body)).split('\n').filter((line) => line !== '');
  const exports = (subjectId: string | null) =>
    running.dataSource.manager.find(InstanceAuditEntry, {
      where: { kind: 'audit_exported', ...(subjectId !== null && { subjectId }) },
    });

  /** With a token, and signed in. */
  async function newUser() {
    const email = `${randomUUID()}@example.org`;
    const { user, token } = await running.app.get(UsersService).createWithToken(email, PASSWORD, 'test');
    const pageClient = new PageClient(running.url);
    await pageClient.signIn(email);
    return { id: user.id, pageClient, client: running.anonymous.with({ Authorization: `Bearer ${token}` }) };
  }

  it('is that of all secrets of the account, and of no other', async () => {
    const { id, pageClient, client } = await newUser();
    const other = await newUser();
    const push = await client.push({ payload: 'correct horse', name: 'tulip', passphrase: 'sesame' });
    await client.push({ payload: 'battery staple' });
    await other.client.push({ payload: 'not theirs' });
    await running.anonymous.with({ 'User-Agent': EVIL }).retrieve(push.url_token as string, 'wrong');

    const { body: page } = await pageClient.get('/users/edit');
    const paths = [...page.matchAll(/href="(\/users\/log\?format=\w+)"/g)].map(([, path = '']) => path);
    expect(paths).toEqual(['/users/log?format=csv', '/users/log?format=ndjson']);
    const csv = await pageClient.get(paths[0] ?? '');
    expect(csv.status).toBe(200);
    expect(csv.headers.get('Content-Type')).toBe('text/csv; charset=utf-8; header=present');
    expect(csv.headers.get('Content-Disposition')).toMatch(
      /^attachment; filename="log-\d{4}-\d\d-\d\d\.csv"$/,
    );
    expect(csv.headers.get('Cache-Control')).toBe('no-store, no-transform');
    const [head, ...rows] = csv.body.split('\r\n').filter((line) => line !== '');
    expect(head).toBe(
      '"id","push","push_kind","kind","ip","user_agent","referrer","by_owner","file","created_at","digest"',
    );
    const { body: expected } = await client.get('/api/v2/audit');
    expect(rows).toHaveLength(lines(expected).length);
    expect(rows.join()).toContain(`"'${EVIL.replaceAll('"', '""')}"`);
    expect(csv.body).not.toMatch(/(^|[,;\n])"?=/m);

    const ndjson = await pageClient.get(paths[1] ?? '');
    expect(ndjson.headers.get('Content-Type')).toBe('application/x-ndjson');
    expect(lines(ndjson.body)).toEqual(lines(expected));
    for (const secret of ['correct horse', 'tulip', 'sesame', push.url_token as string])
      expect(csv.body + ndjson.body).not.toContain(secret);
    expect(await exports(id)).toMatchObject([{ actorId: id }, { actorId: id }]);
  });

  it('has only its head where nothing has happened', async () => {
    const { pageClient } = await newSignedInUser(running);
    expect(lines((await pageClient.get('/users/log?format=csv')).body)).toHaveLength(1);
    expect((await pageClient.get('/users/log?format=ndjson')).body).toBe('');
  });

  it('is that of the instance for administrators, whole or of the kind that the page shows', async () => {
    const admin = await newAdministrator(running);
    const audit = running.app.get(InstanceAudit);
    for (let i = 0; i < ENTRIES; i++)
      await audit.record('settings_changed', { details: { settings: ['A'] } });
    await new PageClient(running.url, { 'User-Agent': EVIL }).signIn(admin.email, 'wrong');

    const { body: page } = await admin.pageClient.get('/admin/audit?kind=sign_in_failed');
    expect(page).toContain('/admin/audit/download?kind=sign_in_failed&amp;format=csv');
    const some = await admin.pageClient.get('/admin/audit/download?kind=settings_changed&format=csv');
    expect(lines(some.body)).toHaveLength(ENTRIES + 1);
    expect(some.body).toContain('"{""settings"":[""A""]}"');
    const failed = await admin.pageClient.get('/admin/audit/download?kind=sign_in_failed&format=csv');
    expect(failed.body).toContain(`"'=HYPERLINK(""http://evil.example""`);
    const all = await admin.pageClient.get('/admin/audit/download?format=ndjson');
    const found = lines(all.body).map((line) => JSON.parse(line) as { id: string; kind: string });
    expect(found.length).toBeGreaterThan(ENTRIES);
    expect(found.map(({ id }) => id)).toEqual(found.map(({ id }) => id).sort());
    expect(found.at(-1)).toMatchObject({ kind: 'audit_exported', actor: admin.email, email: '' });
  });

  it('is for nobody else, in no other format, and for no other site to ask for', async () => {
    const { pageClient } = await newSignedInUser(running);
    const admin = await newAdministrator(running);
    const before = (await exports(null)).length;
    expect((await pageClient.get('/admin/audit/download?format=csv')).status).toBe(404);
    const stranger = new PageClient(running.url);
    for (const path of ['/users/log?format=csv', '/admin/audit/download?format=csv']) {
      const { status, headers } = await stranger.get(path);
      expect([status, headers.get('Location')]).toEqual([303, expect.stringContaining('/users/sign_in')]);
    }
    for (const format of ['', 'xml', 'toString', 'csv&format=csv'])
      expect((await pageClient.get(`/users/log?format=${format}`)).status).toBe(404);
    for (const site of ['cross-site', 'same-site']) {
      const headers = { Cookie: admin.pageClient.cookies, 'Sec-Fetch-Site': site };
      for (const path of ['/users/log?format=csv', '/admin/audit/download?format=ndjson'])
        expect((await running.anonymous.with(headers).get(path)).status).toBe(403);
    }
    expect((await exports(null)).length).toBe(before);
  });
});
