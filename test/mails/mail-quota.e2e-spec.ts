import type { FindOptionsWhere } from 'typeorm';
import { IsNull } from 'typeorm';
import { AuditEntry } from '../../src/audit/audit-entry.entity.js';
import { OutboxMessage } from '../../src/platform/outbox/outbox-message.entity.js';
import { CreationsService } from '../../src/pushes/create/creations.service.js';
import { Push } from '../../src/pushes/push/push.entity.js';
import { DAY_MS } from '../../src/platform/settings/units.js';
import { tally } from '../support/audit-kinds.js';
import { allAtOnce } from '../support/concurrent-calls.js';
import { eventually } from '../support/eventually.js';
import { encoded } from '../support/files.js';
import { forAllTests, forEachTest } from '../support/for-tests.js';
import { makeInstance } from '../support/instance.js';
import { startMailServer } from '../support/mail-server.js';
import { after, someNewPush, someVisitor } from '../support/new-pushes.js';
import { spawnServer } from '../support/spawn-server.js';
import { startApp } from '../support/start-app.js';

const MAILS_PER_DAY = '10';
const TOO_MANY = { base: ['The maximum number of emails has been reached for today'] };

describe('MAILS_PER_DAY', () => {
  const mailServer = forAllTests(startMailServer);
  const instance = forAllTests(makeInstance);
  const running = forAllTests(() =>
    startApp({ ...mailServer.env, MAILS_PER_DAY, UPLOAD_BYTES_PER_DAY: '1000' }, { instance }),
  );
  const user = forEachTest(() => running.newUser());

  const named = (count: number, domain = 'example.org') => ({
    notify_emails_to: Array.from({ length: count }, (_, i) => `a${i}@${domain}`),
  });
  const create = (count: number, fields = {}, { client } = user) =>
    client.post('/api/v2/pushes', { push: { payload: 'tulip', ...named(count), ...fields } });
  const send = (urlToken: string, count: number) =>
    user.client.post(`/api/v2/pushes/${urlToken}/notify_emails`, named(count));
  const mails = (where: FindOptionsWhere<OutboxMessage> = {}) =>
    running.dataSource.manager.countBy(OutboxMessage, { ...where, userId: user.id });
  const pushes = () => running.dataSource.manager.countBy(Push, { userId: user.id });
  const entries = () => running.dataSource.manager.countBy(AuditEntry, { kind: 'creation_email_send' });

  it('is exact, and nothing is created beyond', async () => {
    const { url_token } = (await create(4)).body;
    await create(5);
    const before = await entries();
    const empty = (await create(0)).body;
    const refused = [await create(2), await send(empty.url_token, 2)];

    for (const { status, body } of refused) expect([status, body]).toEqual([422, TOO_MANY]);
    expect([await pushes(), await mails(), await entries()]).toEqual([3, 9, before]);
    expect((await send(url_token, 1)).status).toBe(201);
    expect(await create(1)).toMatchObject({ status: 422, body: TOO_MANY });
    expect((await create(0)).status).toBe(201);
  });

  it('counts each account by itself', async () => {
    await create(5);
    await create(5);

    expect(await create(1)).toMatchObject({ status: 422, body: TOO_MANY });
    expect((await create(5, {}, await running.newUser())).status).toBe(201);
  });

  it('is exact for concurrent requests, which are all answered', async () => {
    const empty = (await allAtOnce(5, () => create(0))).map(({ body }) => body.url_token as string);
    const answers = await allAtOnce(24, (i) => {
      const urlToken = empty[i];
      return urlToken === undefined ? create(3) : send(urlToken, 3);
    });

    expect(tally(answers.map(({ status }) => status))).toEqual({ 201: 3, 422: 21 });
    expect(await mails()).toBe(9);
    expect(await pushes()).toBe(
      empty.length + answers.slice(empty.length).filter(({ status }) => status === 201).length,
    );
  });

  it('counts nothing when another limit refuses the push', async () => {
    const files = encoded([{ name: 'a.bin', content: 'x'.repeat(800) }]);
    const answers = await allAtOnce(2, () => create(2, { files }));

    expect(answers.map(({ status }) => status).sort()).toEqual([201, 429]);
    expect(await mails()).toBe(2);
    expect((await create(5)).status).toBe(201);
    expect((await create(3)).status).toBe(201);
  });

  it('starts again each day', async () => {
    const creations = running.app.get(CreationsService);
    const mailedTo = { given: named(5).notify_emails_to, locale: null };
    const now = new Date();
    const at = (time: Date) =>
      creations.create(someNewPush({ mailedTo }), someVisitor({ userId: user.id }), time);
    await at(now);
    await at(now);
    await expect(at(now)).rejects.toMatchObject({ status: 422 });
    await at(after(now, DAY_MS));
    await at(after(now, DAY_MS));
    await expect(at(after(now, DAY_MS))).rejects.toMatchObject({ status: 422 });
  });

  it('is deleted with its account', async () => {
    await create(1);
    await running.query('DELETE FROM pushes WHERE user_id = ?', [user.id]);
    await running.query('DELETE FROM users WHERE id = ?', [user.id]);

    expect(await running.query('SELECT * FROM daily_usage WHERE user_id = ?', [user.id])).toEqual([]);
    expect(await mails()).toBe(0);
  });

  describe('of two processes', () => {
    const other = forAllTests(() => spawnServer(instance, { ...mailServer.env, MAILS_PER_DAY }));

    it('is exact, and each mail is sent by one of them', async () => {
      const clients = [user.client, user.client.at(other.url)];
      const domain = 'two-processes.example';
      const body = { push: { payload: 'tulip', ...named(2, domain) } };
      const answers = await allAtOnce(20, (i) =>
        (clients[i % 2] ?? user.client).post('/api/v2/pushes', body),
      );

      expect(tally(answers.map(({ status }) => status))).toEqual({ 201: 5, 422: 15 });
      expect(await mails()).toBe(10);
      await eventually(async () => (await mails({ endedAt: IsNull() })) === 0);
      const received = mailServer.received.filter(({ recipients }) => recipients[0]?.endsWith(domain));
      expect(received).toHaveLength(10);
    });
  });
});
