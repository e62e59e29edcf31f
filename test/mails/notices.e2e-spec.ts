import { AccountAdministration } from '../../src/auth/users/account-administration.js';
import { UsersService } from '../../src/auth/users/users.service.js';
import { OutboxMessage } from '../../src/platform/outbox/outbox-message.entity.js';
import { OutboxSender } from '../../src/platform/outbox/outbox-sender.js';
import { CreationsService } from '../../src/pushes/create/creations.service.js';
import { Jobs } from '../../src/platform/scheduling/jobs.js';
import { ExpiryService } from '../../src/pushes/expiry/expiry.service.js';
import type { NoticeEvent } from '../../src/pushes/push/notice-events.js';
import { noticeBits } from '../../src/pushes/push/notice-events.js';
import { RetrievalsService } from '../../src/pushes/retrieve/retrievals.service.js';
import { DAY_MS, HOUR_MS } from '../../src/platform/settings/units.js';
import { allAtOnce } from '../support/concurrent-calls.js';
import { eventually } from '../support/eventually.js';
import { forAllTests, forEachTest, forThisTest } from '../support/for-tests.js';
import { startMailServer } from '../support/mail-server.js';
import { after, someNewPush, someVisitor } from '../support/new-pushes.js';
import { newSignedInUser } from '../support/page-client.js';
import { recordStatements } from '../support/recorded-statements.js';
import { spawnServer } from '../support/spawn-server.js';
import { startApp } from '../support/start-app.js';

const ALL = ['first_view', 'each_view', 'failed_passphrase', 'ended_unseen'];
const PROXIED = { TRUSTED_PROXIES: '127.0.0.1' };

describe('A mail to the owner of a push', () => {
  const server = forAllTests(startMailServer);
  const running = forAllTests(() => startApp({ ...server.env, ...PROXIED }));
  const owner = forEachTest(() => running.newUser());

  beforeEach(async () => {
    await sent(); // what an earlier test has left
    await running.dataSource.manager.deleteAll(OutboxMessage);
  });

  const messages = () => running.dataSource.manager.find(OutboxMessage, { order: { id: 'ASC' } });
  const sent = async () => {
    await eventually(async () => {
      // later, because some tests add mails at a later time
      await running.app.get(OutboxSender).sendDue(undefined, () => after(new Date(), 3 * HOUR_MS));
      return (await messages()).every(({ endedAt }) => endedAt !== null);
    });
    return server.received.filter(({ recipients }) => recipients.includes(owner.email));
  };
  const subjects = async () => (await sent()).map(({ subject }) => subject).sort();
  const from = (ip: string) => running.anonymous.with({ 'X-Forwarded-For': ip });
  const make = (notify_on: unknown, fields = {}) =>
    owner.client.push({ payload: 'tulip', expire_after_views: 10, notify_on, ...fields });

  it('tells of the first view, with its time, and of no other', async () => {
    const { url_token } = await make(['first_view'], { name: 'for Ada' });
    for (let i = 0; i < 3; i++) await from(`198.51.100.${i}`).retrieve(url_token);
    const [mail, ...others] = await sent();

    expect(others).toEqual([]);
    expect(mail).toMatchObject({ recipients: [owner.email], subject: 'Your secret was opened' });
    expect(mail?.text).toContain('“for Ada”');
    expect(mail?.text).toContain('It was opened on ');
    expect(mail?.text).toContain('https://push.example.org/pushes\n');
    expect(mail?.raw).not.toContain(url_token);
    expect(mail?.raw).not.toContain('tulip');
  });

  it.each<[unknown, number]>([
    [['each_view'], 3],
    ['first_view, each_view', 3],
    [ALL, 3],
    ['first_view', 1],
    ['', 0],
    [[], 0],
    [null, 0],
    [['failed_passphrase', 'ended_unseen'], 0],
  ])('about %j of three views is sent %d times', async (notify_on, count) => {
    const { url_token } = await make(notify_on, { expire_after_views: 3 });
    for (let i = 0; i < 4; i++) await running.anonymous.retrieve(url_token);

    expect(await subjects()).toEqual(Array(count).fill('Your secret was opened'));
  });

  it('tells of the first of many views at the same time once', async () => {
    const { url_token } = await make('first_view,ended_unseen');
    await allAtOnce(12, () => running.anonymous.retrieve(url_token));

    expect(await subjects()).toHaveLength(1);
  });

  it('does not tell of the owner’s own views, and tells of the first by somebody else', async () => {
    const { url_token } = await make('first_view,failed_passphrase', { passphrase: 'horse' });
    await owner.client.retrieve(url_token, 'horse');
    await owner.client.retrieve(url_token, 'wrong');
    expect(await sent()).toEqual([]);
    await running.anonymous.retrieve(url_token, 'horse');

    expect(await subjects()).toEqual(['Your secret was opened']);
  });

  it('has the time of creation when the push has no name', async () => {
    const { url_token, created_at } = await make('first_view');
    await running.anonymous.retrieve(url_token);
    const [mail] = await sent();

    expect(mail?.text).toContain(`Your secret of ${new Date(created_at).getUTCDate()} `);
  });

  it('tells of wrong passphrases once an hour, however many there are', async () => {
    const now = new Date();
    const { url_token } = await make('failed_passphrase', { passphrase: 'horse' });
    const retrievals = running.app.get(RetrievalsService);
    const guess = (time: Date, ip: string) =>
      retrievals
        .retrieve(url_token, { passphrase: 'wrong' }, someVisitor({ ip }), time)
        .catch(() => undefined);
    await allAtOnce(8, (i) => guess(now, `198.51.100.${i}`));
    expect(await subjects()).toEqual(['Wrong passphrase for your secret']);
    await guess(after(now, HOUR_MS / 2), '198.51.100.9');
    expect(await subjects()).toHaveLength(1);
    await guess(after(now, 2 * HOUR_MS), '198.51.100.10');

    expect(await subjects()).toHaveLength(2);
    expect(server.received.map(({ raw }) => raw).join()).not.toMatch(/horse|tulip/);
  });

  describe('when a push ends by time', () => {
    const creations = () => running.app.get(CreationsService);
    const old = (notifyOn: NoticeEvent[], views = 5) =>
      creations().create(
        someNewPush({ notifyOn: noticeBits(notifyOn), expireAfterViews: views, name: 'old' }),
        someVisitor({ userId: owner.id }),
        after(new Date(), -8 * DAY_MS),
      );
    const view = (urlToken: string, visitor = someVisitor()) =>
      running.app.get(RetrievalsService).retrieve(urlToken, {}, visitor, after(new Date(), -2 * DAY_MS));
    const cleanUp = () => running.app.get(Jobs).run('expiry');

    it('tells that nobody has opened it, once, although several runs overlap', async () => {
      await old(['ended_unseen']);
      const expiry = running.app.get(ExpiryService);
      await Promise.all([expiry.expireOverdue(), expiry.expireOverdue(), cleanUp()]);
      const mails = await sent();

      expect(mails.map(({ subject }) => subject)).toEqual(['Your secret expired unopened']);
      expect(mails[0]?.text).toContain('“old”');
      expect(mails[0]?.text).toContain('https://push.example.org/pushes/expired\n');
    });

    it('tells it when only the owner has opened it, not when somebody else has', async () => {
      await view((await old(['ended_unseen'])).url_token, someVisitor({ userId: owner.id }));
      await view((await old(['ended_unseen'])).url_token);
      await old(['each_view']);
      await old([]);
      await cleanUp();

      expect(await subjects()).toEqual(['Your secret expired unopened']);
    });

    it('does not tell it when the owner has deleted it', async () => {
      const { url_token } = await make(['ended_unseen']);
      await owner.client.delete(`/api/v2/pushes/${url_token}`);
      await running.app.get(Jobs).run('expiry', after(new Date(), 30 * DAY_MS));

      expect(await sent()).toEqual([]);
    });

    it('tells it of each of many, in the transaction that ends them', async () => {
      await allAtOnce(130, () => old(['ended_unseen']));
      await cleanUp();

      expect(await messages()).toHaveLength(130);
      await running.dataSource.manager.deleteAll(OutboxMessage);
    });
  });

  it.each<[unknown]>([['views'], [['first_view', 'x']], [[1]], [[['first_view']]], [{ a: 1 }], [7], [true]])(
    'is refused for the events %j',
    async (notify_on) => {
      const push = { payload: 'tulip', notify_on };

      expect(await owner.client.post('/api/v2/pushes', { push })).toMatchObject({
        status: 422,
        body: {
          notify_on: ['must be a list of: first_view, each_view, failed_passphrase, ended_unseen'],
        },
      });
    },
  );

  it.each([
    'push[notify_on]=first_view,ended_unseen',
    'push[notify_on][]=first_view&push[notify_on][]=each_view',
  ])('can be asked for in a form: %s', async (text) => {
    const body = new URLSearchParams(`push[payload]=tulip&${text}`);
    const { body: made } = await owner.client.post('/api/v2/pushes', body);
    await running.anonymous.retrieve(made.url_token);

    expect(await subjects()).toEqual(['Your secret was opened']);
  });

  it('needs a token, and an address that is known to be the owner’s', async () => {
    const push = { payload: 'tulip', notify_on: 'first_view' };
    const { pageClient } = await newSignedInUser(running);
    const fields = { 'push[payload]': 'tulip', 'push[notify_on]': 'first_view' };

    expect(await running.anonymous.post('/api/v2/pushes', { push })).toMatchObject({
      status: 422,
      body: { notify_on: ['are not allowed for unknown users'] },
    });
    expect((await pageClient.post('/', fields)).status).toBe(422);
  });

  it('is sent by default when the account says so, unless a push says otherwise', async () => {
    await running.app
      .get(UsersService)
      .setNotices(await running.app.get(AccountAdministration).findById(owner.id), {
        notifyOn: noticeBits(['each_view']),
        language: 'de',
      });
    for (const notify_on of [undefined, null, '', []]) {
      const { url_token } = await make(notify_on);
      await running.anonymous.retrieve(url_token);
    }
    const { body } = await owner.client.post('/p.json', { password: { payload: 'tulip' } });
    await running.anonymous.retrieve(body.url_token);

    expect(await subjects()).toEqual(Array(3).fill('Ihr Geheimnis wurde geöffnet'));
  });

  it('is sent neither to an account that was disabled meanwhile nor to one that was deleted', async () => {
    const { url_token } = await make('each_view');
    await running.query('UPDATE users SET disabled_at = ? WHERE id = ?', [
      '2026-01-01 00:00:00.000',
      owner.id,
    ]);
    await running.anonymous.retrieve(url_token);

    expect(await sent()).toEqual([]);
    await running.query('DELETE FROM pushes WHERE user_id = ?', [owner.id]);
    await running.query('DELETE FROM users WHERE id = ?', [owner.id]);
    expect(await messages()).toEqual([]);
  });

  it('costs other pushes no statement and no column', async () => {
    const statements = async (notify_on: unknown) => {
      const { url_token } = await make(notify_on, { passphrase: 'horse' });
      const stop = await recordStatements(running.app);
      await running.anonymous.retrieve(url_token, 'wrong');
      await running.anonymous.retrieve(url_token, 'horse');
      const sql = stop().map((statement) => statement.sql);
      return sql.filter((text) => /^(INSERT INTO|UPDATE) .*(outbox|notify_on =|notice_at)/.test(text)).length;
    };

    expect(await statements('')).toBe(0);
    expect(await statements(ALL)).toBeGreaterThan(0);
  });

  describe('of two processes', () => {
    const other = forAllTests(() => spawnServer(running.instance, { ...server.env, ...PROXIED }));

    it('tells of a flood of wrong passphrases and of many first views once', async () => {
      const { url_token } = await make('first_view,failed_passphrase', { passphrase: 'horse' });
      const clients = [from, (ip: string) => other.anonymous.with({ 'X-Forwarded-For': ip })];
      const client = (i: number) => (clients[i % 2] ?? from)(`198.51.100.${i}`);
      await allAtOnce(30, (i) => client(i).retrieve(url_token, 'wrong'));
      await allAtOnce(8, (i) => client(i).retrieve(url_token, 'horse'));

      const kinds = (await messages()).map(({ kind }) => kind);
      expect(kinds).toEqual(['push.notice', 'push.notice']);
    });
  });
});

describe('With OWNER_VIEWS_COUNT=false, a mail to the owner', () => {
  it('is not sent about the owner’s own view', async () => {
    const server = await forThisTest(startMailServer());
    const running = await forThisTest(startApp({ ...server.env, OWNER_VIEWS_COUNT: 'false' }));
    const { client } = await running.newUser();
    const { url_token } = await client.push({ payload: 'tulip', notify_on: 'each_view,first_view' });
    await client.retrieve(url_token);

    expect(await running.dataSource.manager.count(OutboxMessage)).toBe(0);
    await running.anonymous.retrieve(url_token);
    expect(await running.dataSource.manager.count(OutboxMessage)).toBe(1);
  });
});

describe('Without MAIL_URL, a mail to the owner', () => {
  it('is not available, and none is added for pushes that asked for it before', async () => {
    const running = await forThisTest(startApp());
    const { client, id } = await running.newUser();
    const push = { payload: 'tulip', notify_on: ['first_view'] };
    const { url_token } = await running.app
      .get(CreationsService)
      .create(someNewPush({ notifyOn: noticeBits(['each_view']) }), someVisitor({ userId: id }));
    await running.anonymous.retrieve(url_token);

    expect(await client.post('/api/v2/pushes', { push })).toMatchObject({
      status: 422,
      body: { notify_on: ['are not available'] },
    });
    expect(await client.post('/api/v2/pushes', { push: { ...push, notify_on: [''] } })).toMatchObject({
      status: 201,
    });
    expect(await running.dataSource.manager.count(OutboxMessage)).toBe(0);
  });
});
