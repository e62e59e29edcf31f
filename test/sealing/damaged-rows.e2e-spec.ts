import { Log } from '../../src/platform/logging/log.js';
import { UnreadableRows } from '../../src/platform/sealing/unreadable-rows.js';
import { OutboxMessage } from '../../src/platform/outbox/outbox-message.entity.js';
import { OutboxSchedule } from '../../src/platform/outbox/outbox.schedule.js';
import { OutboxSender } from '../../src/platform/outbox/outbox-sender.js';
import { eventually } from '../support/eventually.js';
import { forAllTests, forThisTest } from '../support/for-tests.js';
import { addWebhook, LOOPBACK_ALLOWED, startHookReceiver } from '../support/hook-receiver.js';
import { newSignedInUser } from '../support/page-client.js';
import { Client } from '../support/client.js';
import { TokensService } from '../../src/auth/tokens/tokens.service.js';
import { User } from '../../src/auth/entities/user.entity.js';
import { startApp } from '../support/start-app.js';

const SEALED = ['owner_key', 'url_token', 'name', 'note'];

describe('A damaged row', () => {
  const running = forAllTests(() => startApp({ ...LOOPBACK_ALLOWED, LOG_LEVEL: 'error' }));

  afterEach(() => jest.restoreAllMocks());

  const query = (sql: string, values: unknown[] = []) => running.query(sql, values);
  /** Flips the last bit of a stored value, as a failing disk does. */
  const damage = async (table: string, id: string, column: string) => {
    const [row] = await query(`SELECT ${column} AS value FROM ${table} WHERE id = ?`, [id]);
    const value = Buffer.from(row.value);
    value[value.length - 1] = (value.at(-1) ?? 0) ^ 1;
    await query(`UPDATE ${table} SET ${column} = ? WHERE id = ?`, [value, id]);
  };
  /** An account with a session and a token. */
  const newMember = async () => {
    const { id, pageClient } = await newSignedInUser(running);
    const user = await running.dataSource.manager.findOneByOrFail(User, { id });
    const token = await running.app.get(TokensService).create(user, { name: 'test' });
    return { id, pageClient, client: new Client(running.url, { Authorization: `Bearer ${token}` }) };
  };
  type Member = Awaited<ReturnType<typeof newMember>>;
  const newestPush = async ({ id }: Member): Promise<string> =>
    (await query('SELECT MAX(id) AS id FROM pushes WHERE user_id = ?', [id]))[0].id;
  /** What is logged from now on. */
  const logOfDamage = () => {
    running.app.get(UnreadableRows).logFound();
    return jest.spyOn(running.app.get(Log), 'failure').mockImplementation(() => undefined);
  };
  /** Three pushes, of which the second is to be damaged. */
  const sharedBy = async (member: Member) => {
    const push = (name: string) => member.client.push({ payload: name, name, note: `note ${name}` });
    await push('rose');
    const damaged = await push('tulip');
    const id = await newestPush(member);
    await push('lily');
    return { id, urlToken: damaged.url_token as string };
  };

  it.each(SEALED)(
    'is shown as unreadable in the lists of the API if its %s is damaged (M8)',
    async (column) => {
      const member = await newMember();
      const { id } = await sharedBy(member);
      await damage('pushes', id, column);

      for (const path of ['/api/v2/pushes/active', '/p/active.json']) {
        const { status, body, headers } = await member.client.get(path);
        expect([status, headers.get('x-total')]).toEqual([200, '3']);
        expect(body.map(({ name }: { name: string }) => name)).toEqual([
          'lily',
          ['owner_key', 'name'].includes(column) ? '' : 'tulip',
          'rose',
        ]);
        expect(body.map(({ unreadable }: { unreadable?: true }) => unreadable)).toEqual([
          undefined,
          true,
          undefined,
        ]);
      }
    },
  );

  it('has no URLs in lists when its token cannot be read, and still opens (M8)', async () => {
    const member = await newMember();
    const { id, urlToken } = await sharedBy(member);
    await damage('pushes', id, 'url_token');
    const { body } = await member.client.get('/api/v2/pushes/active');

    expect(body[1]).toMatchObject({ url_token: '', json_url: '', html_url: '', name: 'tulip' });
    expect((await running.anonymous.retrieve(urlToken)).body.payload).toBe('tulip');
  });

  it.each(SEALED)('can be deleted on the page of its owner if its %s is damaged (M8)', async (column) => {
    const member = await newMember();
    const { id, urlToken } = await sharedBy(member);
    await damage('pushes', id, column);
    const { status, body } = await member.pageClient.get('/pushes');
    const isTokenLost = ['owner_key', 'url_token'].includes(column);
    const reference = isTokenLost ? id : urlToken;

    expect(status).toBe(200);
    expect(body).toContain('rose');
    expect(body).toContain('lily');
    expect(body.match(/cannot be read completely/g)).toHaveLength(1);
    expect(body).toContain(`value="${reference}"`);

    const asked = await member.pageClient.post('/pushes/delete', { url_tokens: reference });
    expect([asked.status, asked.body.includes(`value="${reference}"`)]).toEqual([200, true]);
    const done = await member.pageClient.post('/pushes/delete', { url_tokens: reference, confirmed: 'yes' });
    expect(done.headers.get('location')).toBe('/pushes?done=deleted&deleted=1&unknown=0');
    expect((await running.anonymous.retrieve(urlToken)).body).toMatchObject({ payload: null, deleted: true });
    expect((await member.pageClient.get('/pushes/expired')).status).toBe(200);
  });

  it('cannot be deleted by its id from another account (C1)', async () => {
    const { id, urlToken } = await sharedBy(await newMember());
    const { pageClient } = await newMember();
    const { headers } = await pageClient.post('/pushes/delete', { url_tokens: id, confirmed: 'yes' });

    expect(headers.get('location')).toBe('/pushes?done=deleted&deleted=0&unknown=1');
    expect((await running.anonymous.retrieve(urlToken)).body.payload).toBe('tulip');
  });

  it('does not hinder a search, nor the page of its activity (M8)', async () => {
    const member = await newMember();
    const { id, urlToken } = await sharedBy(member);
    await damage('pushes', id, 'owner_key');
    const search = await member.pageClient.post('/pushes/search', { q: 'ro' });
    const found = await member.pageClient.get(search.headers.get('location') ?? '');
    const activity = await member.pageClient.get(`/p/${urlToken}/audit`);

    expect([found.status, found.body.includes('>rose<'), found.body.includes('>lily<')]).toEqual([
      200,
      true,
      false,
    ]);
    expect([activity.status, activity.body.includes('cannot be read completely')]).toEqual([200, true]);
  });

  it('is logged once, with its id and without its token (M8, H1)', async () => {
    const logged = logOfDamage();
    const member = await newMember();
    const { id, urlToken } = await sharedBy(member);
    await damage('pushes', id, 'owner_key');
    for (let index = 0; index < 3; index++) {
      await member.client.get('/api/v2/pushes/active');
      running.app.get(UnreadableRows).logFound();
    }

    expect(logged.mock.calls).toHaveLength(1);
    expect(JSON.stringify(logged.mock.calls)).toContain(id);
    expect(JSON.stringify(logged.mock.calls)).not.toContain(urlToken);
  });

  it('is logged together with the others that a search finds, in one line with their number (M8)', async () => {
    const logged = logOfDamage();
    const member = await newMember();
    await sharedBy(member);
    await query('UPDATE pushes SET owner_key = ? WHERE user_id = ?', [Buffer.alloc(61, 1), member.id]);
    const search = await member.pageClient.post('/pushes/search', { q: 'tulip' });
    await member.pageClient.get(search.headers.get('location') ?? '');
    await eventually(() => logged.mock.calls.length > 0);
    await member.client.get('/api/v2/pushes/active');
    await member.client.get('/api/v2/pushes/active');

    expect(logged.mock.calls.map(([message]) => message)).toEqual([
      expect.stringContaining('Stored values of 3 rows, one of them push '),
    ]);
  });

  it('is shown in lists with an unknown kind, also among audit entries (M8)', async () => {
    const member = await newMember();
    const { id, urlToken } = await sharedBy(member);
    await query("UPDATE pushes SET kind = 'texu' WHERE id = ?", [id]);
    await query("UPDATE audit_entries SET kind = 'creatinn' WHERE push_id = ?", [id]);

    expect((await member.pageClient.get('/pushes')).status).toBe(200);
    expect((await member.pageClient.get(`/p/${urlToken}/audit`)).status).toBe(200);
    expect((await member.client.get('/api/v2/audit')).status).toBe(200);
  });

  it('of a file leaves the push and its other files (M8)', async () => {
    const member = await newMember();
    const files = [1, 2].map((number) => ({
      filename: `${number}.txt`,
      content_type: 'text/plain',
      content: Buffer.from(`tulip ${number}`).toString('base64'),
    }));
    const push = await member.client.push({ kind: 'file', files, expire_after_views: 5 });
    const [{ id }] = await query('SELECT id FROM files WHERE push_id = ? AND position = 0', [
      await newestPush(member),
    ]);
    await damage('files', id, 'name');
    await damage('files', id, 'content_type');
    const { status, body } = await running.anonymous.retrieve(push.url_token);

    expect(status).toBe(200);
    expect(body.files).toMatchObject([
      { filename: 'file-1', content_type: 'application/octet-stream' },
      { filename: '2.txt', content_type: 'text/plain' },
    ]);
    const downloaded = await fetch(body.files[0].url);
    expect([downloaded.status, await downloaded.text()]).toEqual([200, 'tulip 1']);
  });

  it('of a webhook is shown on the page, can be deleted, and leaves the others (M8)', async () => {
    const member = await newMember();
    const receiver = await forThisTest(startHookReceiver());
    await addWebhook(running, member.id, `${receiver.url}/damaged`, ['push.created']);
    const [{ id }] = await query('SELECT MAX(id) AS id FROM webhooks WHERE user_id = ?', [member.id]);
    await addWebhook(running, member.id, receiver.url, ['push.created']);
    await damage('webhooks', id, 'sealed');
    const { status, body } = await member.pageClient.get('/users/webhooks');
    await member.client.push({ payload: 'tulip' });
    await eventually(() => receiver.received.length === 1);
    await eventually(async () => (await messagesTo(id)).every(({ endedAt }) => endedAt !== null));

    expect([status, body.includes('This webhook cannot be read'), body.includes(receiver.url)]).toEqual([
      200,
      true,
      true,
    ]);
    expect(await messagesTo(id)).toMatchObject([{ outcome: 'failed', error: 'UNREADABLE', attempts: 1 }]);
    const deleted = await member.pageClient.post(`/users/webhooks/${id}/delete`);
    expect(deleted.status).toBe(303);
    expect(await query('SELECT id FROM webhooks WHERE id = ?', [id])).toEqual([]);
  });

  const messagesTo = (destination: string) =>
    running.dataSource.manager.find(OutboxMessage, { where: { destination }, order: { id: 'ASC' } });

  it('of a message fails it, and the next one to the same destination is sent (M8)', async () => {
    const member = await newMember();
    const receiver = await forThisTest(startHookReceiver());
    await addWebhook(running, member.id, receiver.url, ['push.created']);
    const [{ id }] = await query('SELECT MAX(id) AS id FROM webhooks WHERE user_id = ?', [member.id]);
    jest.spyOn(running.app.get(OutboxSchedule), 'sendSoon').mockImplementation(() => undefined);
    await member.client.push({ payload: 'tulip' });
    await member.client.push({ payload: 'rose' });
    const [first] = await messagesTo(id);
    await damage('outbox_messages', first?.id ?? '', 'sealed');
    await running.app.get(OutboxSender).sendTo([id]);

    expect(await messagesTo(id)).toMatchObject([
      { outcome: 'failed', error: 'UNREADABLE', attempts: 1 },
      { outcome: 'delivered' },
    ]);
    expect(receiver.received).toHaveLength(1);
  });
});
