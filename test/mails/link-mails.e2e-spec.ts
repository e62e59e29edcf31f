import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { createServer } from 'node:net';
import { AuditEntry } from '../../src/audit/audit-entry.entity.js';
import { AccountAdministration } from '../../src/auth/users/account-administration.js';
import { OutboxSchedule } from '../../src/outbox/outbox.schedule.js';
import { OutboxMessage } from '../../src/outbox/outbox-message.entity.js';
import { OutboxSender } from '../../src/outbox/outbox-sender.js';
import { CreationsService } from '../../src/pushes/create/creations.service.js';
import { Push } from '../../src/pushes/push/push.entity.js';
import { HOUR_MS, MINUTE_MS } from '../../src/settings/units.js';
import { auditKinds } from '../support/audit-kinds.js';
import { field, form, postBytes } from '../support/client-forms.js';
import { clientEncryptedPush } from '../support/age-files.js';
import { eventually } from '../support/eventually.js';
import type { MailServer } from '../support/mail-server.js';
import { startMailServer } from '../support/mail-server.js';
import { after, someNewPush, someVisitor } from '../support/new-pushes.js';
import type { RunningApp, TestUser } from '../support/start-app.js';
import { startApp } from '../support/start-app.js';

const API_VERSIONS = [
  { version: 'v1', path: '/p.json', key: 'password' },
  { version: 'v2', path: '/api/v2/pushes', key: 'push' },
];

describe('The link of a push by mail', () => {
  let server: MailServer;
  let running: RunningApp;
  let owner: TestUser;

  beforeAll(async () => {
    server = await startMailServer();
    running = await startApp(server.env);
  });
  beforeEach(async () => {
    await sendAll(); // what an earlier test has left
    owner = await running.newUser();
    await running.dataSource.manager.deleteAll(OutboxMessage);
    server.received.length = 0;
  });
  afterAll(async () => {
    await running.stop();
    await server.stop();
  });

  const create = (fields: object) => owner.client.post('/api/v2/pushes', { push: fields });
  const send = (urlToken: string, body: object, client = owner.client) =>
    client.post(`/api/v2/pushes/${urlToken}/notify_emails`, body);
  const messages = () => running.dataSource.manager.find(OutboxMessage, { order: { id: 'ASC' } });
  const delivered = async () => {
    await eventually(async () => (await messages()).every(({ endedAt }) => endedAt !== null));
    return server.received;
  };
  /** Mails of `act` wait until `sendAll`. */
  const unsent = async (act: () => Promise<unknown>) => {
    const wake = jest.spyOn(running.app.get(OutboxSchedule), 'sendSoon').mockImplementation(() => undefined);
    await act();
    wake.mockRestore();
  };
  const sendAll = () =>
    eventually(async () => {
      await running.app.get(OutboxSender).sendDue();
      return (await messages()).every(({ endedAt }) => endedAt !== null);
    });

  it('fails if the stored link cannot be read, and others are sent (M8)', async () => {
    await unsent(async () => {
      await owner.client.push({ payload: 'tulip', notify_emails_to: ['ada@example.org'] });
      const [push] = await running.dataSource.manager.findBy(Push, { userId: owner.id });
      const urlToken = Buffer.alloc(push?.urlToken.length ?? 0);
      await running.dataSource.manager.update(Push, { id: push?.id ?? '' }, { urlToken });
      await owner.client.push({ payload: 'rose', notify_emails_to: ['bob@example.org'] });
    });
    await sendAll();

    expect(await messages()).toMatchObject([
      { outcome: 'failed', error: 'UNREADABLE', attempts: 1 },
      { outcome: 'delivered' },
    ]);
    expect(server.received.map(({ recipients }) => recipients)).toEqual([['bob@example.org']]);
  });

  it('is announced in GET /version', async () => {
    const { body } = await running.anonymous.get('/api/v2/version');

    expect(body.features.pushes.email_auto_dispatch).toBe(true);
  });

  it('is sent once to each recipient, with its limits and nothing of the sender', async () => {
    const { url_token, html_url } = await owner.client.push({
      payload: 'tulip',
      name: 'for Ada',
      note: 'a note',
      expire_after_views: 3,
      notify_emails_to: ['ada@example.org', 'bob@example.org'],
    });
    const mails = await delivered();

    expect(mails.map(({ recipients }) => recipients)).toEqual([['ada@example.org'], ['bob@example.org']]);
    expect(html_url).toBe(`https://push.example.org/p/${url_token}`);
    expect(mails[0]?.text).toContain(`${html_url}\n`);
    expect(mails[0]?.text).toContain('3 times');
    expect(mails[0]?.text).not.toContain('passphrase');
    for (const { raw, html } of mails) {
      expect(raw).not.toMatch(/tulip|for Ada|a note/);
      expect(raw).not.toContain(owner.email);
      expect(html).not.toMatch(/<img|<link|<script|src=|url\(/);
    }
  });

  it('leads to the retrieval step, and says that a passphrase is needed, which it does not have', async () => {
    const { url_token } = await owner.client.push({
      payload: 'tulip',
      passphrase: 'correct horse',
      retrieval_step: true,
      notify_emails_to: 'ada@example.org',
      notify_emails_to_locale: 'de',
    });
    const [mail] = await delivered();

    expect(mail?.text).toContain(`https://push.example.org/p/${url_token}/r\n`);
    expect(mail?.text).toContain('Passphrase');
    expect(mail?.raw).not.toContain('correct horse');
    expect(mail?.subject).toBe('Jemand hat Ihnen über Sealpush ein Geheimnis geschickt');
  });

  it('begins with PUBLIC_URL, whatever the host of the request (D4)', async () => {
    await owner.client
      .with({ 'X-Forwarded-Host': 'evil.example' })
      .push({ payload: 'tulip', notify_emails_to: 'ada@example.org' });
    const [mail] = await delivered();

    expect(mail?.text).toContain('https://push.example.org/p/');
    expect(mail?.raw).not.toContain('evil.example');
  });

  it.each<[string | null | undefined, RegExp]>([
    ['de', /Geheimnis/],
    ['de-AT', /Geheimnis/],
    [' DE ', /Geheimnis/],
    ['pt-BR', /secret/],
    ['', /secret/],
    [null, /secret/],
    [undefined, /secret/],
  ])('is in the language of the locale %j, or in English', async (locale, subject) => {
    await owner.client.push({
      payload: 'tulip',
      notify_emails_to: 'ada@example.org',
      notify_emails_to_locale: locale,
    });

    expect((await delivered())[0]?.subject).toMatch(subject);
  });

  it.each<[unknown]>([['deutsch!'], [17], [['de', 'en']], [{}], ['x'.repeat(100_000)], ['en-aa'.repeat(9)]])(
    'is refused with the locale %j',
    async (locale) => {
      const fields = {
        payload: 'a',
        notify_emails_to: 'ada@example.org',
        notify_emails_to_locale: locale,
      };

      expect(await create(fields)).toMatchObject({
        status: 422,
        body: { notify_emails_to_locale: ['must be a locale, such as en or de'] },
      });
    },
  );

  describe.each(API_VERSIONS)('that is named over $version', ({ path, key }) => {
    const post = (head: string, body: string | Buffer) =>
      postBytes({ url: running.url, token: owner.token }, path, [`Content-Type: ${head}`], body);
    const addresses = async () => (await delivered()).flatMap(({ recipients }) => recipients).sort();

    it.each<[unknown]>([
      [['ada@example.org', 'bob@example.org']],
      ['ada@example.org,bob@example.org'],
      [' ada@example.org , bob@example.org,'],
      [['ada@example.org', '', ' bob@example.org ']],
      [['ada@example.org', 'bob@example.org', 'ADA@example.org', 'ada@example.org']],
    ])('in JSON as %j goes to each address once', async (named) => {
      const body = JSON.stringify({ [key]: { payload: 'tulip', notify_emails_to: named } });
      expect((await post('application/json', body)).status).toBe(201);

      expect(await addresses()).toEqual(['ada@example.org', 'bob@example.org']);
    });

    it.each([
      '[notify_emails_to]=ada@example.org,bob@example.org',
      '[notify_emails_to][]=ada@example.org&KEY[notify_emails_to][]=bob@example.org',
    ])('in a form as %s goes to each address', async (text) => {
      const body = `KEY[payload]=tulip&KEY${text}`.replaceAll('KEY', key);
      expect((await post('application/x-www-form-urlencoded', body)).status).toBe(201);

      expect(await addresses()).toEqual(['ada@example.org', 'bob@example.org']);
    });

    it('in a multipart form goes to each address', async () => {
      const parts = [
        field(`${key}[payload]`, 'tulip'),
        field(`${key}[notify_emails_to][]`, 'ada@example.org'),
        field(`${key}[notify_emails_to][]`, 'bob@example.org'),
      ];
      const { status } = await post('multipart/form-data; boundary=abc', form('abc', parts));

      expect(status).toBe(201);
      expect(await addresses()).toEqual(['ada@example.org', 'bob@example.org']);
    });
  });

  it.each<[unknown, string]>([
    ['ada', 'must be valid email addresses'],
    ['ada@example.org\r\nBcc: eve@example.org', 'must be valid email addresses'],
    ['ada@example.org;eve@example.org', 'must be valid email addresses'],
    ['Ada <ada@example.org>', 'must be valid email addresses'],
    [['ada@example.org,eve@example.org'], 'must be valid email addresses'],
    ['"a b"@example.org', 'must be valid email addresses'],
    ['ada\u202e@example.org', 'must be valid email addresses'],
    ['ada\u200b@example.org', 'must be valid email addresses'],
    ['ada\0@example.org', 'must be valid email addresses'],
    ['ada\ud800@example.org', 'must be valid email addresses'],
    [`${'a'.repeat(300)}@example.org`, 'must be valid email addresses'],
    [`a@${'a.'.repeat(130)}example.org`, 'must be valid email addresses'],
    [[{ to: 'ada@example.org' }], 'must be a list of email addresses, or a text with commas between them'],
    [[['ada@example.org']], 'must be a list of email addresses, or a text with commas between them'],
    [{ to: 'ada@example.org' }, 'must be a list of email addresses, or a text with commas between them'],
    [17, 'must be a list of email addresses, or a text with commas between them'],
    [true, 'must be a list of email addresses, or a text with commas between them'],
    [Array.from({ length: 6 }, (_, i) => `a${i}@example.org`), 'must be at most 5 email addresses'],
    ['a@b.example,'.repeat(100_000), 'must be at most 5 email addresses'],
    [','.repeat(1_000_000) + 'a@b.example', 'must be at most 5 email addresses'],
  ])('is refused for hostile recipients, and nothing is created (E10)', async (named, message) => {
    const refusal = { status: 422, body: { notify_emails_to: [message] } };
    const { url_token } = await owner.client.push({ payload: 'tulip' });

    expect(await create({ payload: 'tulip', notify_emails_to: named })).toMatchObject(refusal);
    expect((await owner.client.get('/api/v2/pushes/active')).body).toHaveLength(1);
    if (JSON.stringify(named).length < 60_000)
      expect(await send(url_token, { notify_emails_to: named })).toMatchObject(refusal);
    expect(await messages()).toEqual([]);
    expect(await auditKinds(owner.client, url_token)).toEqual(['creation']);
  });

  it('is refused for a push that only its client can decrypt', async () => {
    const body = { notify_emails_to: ['must be empty when client_encrypted is true'] };
    const encrypted = clientEncryptedPush();
    const { url_token } = await owner.client.push(encrypted);

    expect(await create({ ...encrypted, notify_emails_to: 'ada@example.org' })).toMatchObject({
      status: 422,
      body,
    });
    expect(await send(url_token, { notify_emails_to: 'ada@example.org' })).toMatchObject({
      status: 422,
      body,
    });
    expect(await messages()).toEqual([]);
  });

  it.each(API_VERSIONS)('needs a token over $version, unless nobody is named', async ({ path, key }) => {
    const post = (named: unknown) =>
      running.anonymous.post(path, { [key]: { payload: 'tulip', notify_emails_to: named } });

    expect(await post('ada@example.org')).toMatchObject({
      status: 401,
      body: { error: 'Mails need a valid API token.' },
    });
    expect((await post('no address')).status).toBe(401);
    expect((await post([''])).status).toBe(201);
    expect(await messages()).toEqual([]);
  });

  it('is audited, an entry for each mail, without an address', async () => {
    const { url_token } = await owner.client.push({
      payload: 'tulip',
      notify_emails_to: 'ada@example.org,bob@example.org',
    });
    await send(url_token, { notify_emails_to: ['eve@example.org'] });
    const { body } = await owner.client.get(`/api/v2/pushes/${url_token}/audit`);

    expect(body.logs.map(({ kind }: { kind: string }) => kind)).toEqual([
      'creation',
      ...Array(3).fill('notify_by_email'),
    ]);
    expect(JSON.stringify(body)).not.toMatch(/(ada|bob|eve)@/);
    expect(body.logs[1]).toMatchObject({ ip: body.logs[0].ip, user_agent: body.logs[0].user_agent });
  });

  it('is not sent when the push has ended meanwhile', async () => {
    const { url_token } = await owner.client.push({ payload: 'tulip' });
    await unsent(() => send(url_token, { notify_emails_to: 'ada@example.org' }));
    await owner.client.delete(`/api/v2/pushes/${url_token}`);
    await sendAll();

    expect(server.received).toEqual([]);
    expect(await messages()).toMatchObject([{ outcome: 'delivered', sealed: null }]);
  });

  it('is not sent when the account has been disabled meanwhile', async () => {
    const administration = running.app.get(AccountAdministration);
    await unsent(() => owner.client.push({ payload: 'tulip', notify_emails_to: 'ada@example.org' }));
    await administration.disable(await administration.findById(owner.id));
    await sendAll();

    const recipients = server.received.flatMap((mail) => mail.recipients); // the owner is told that it was disabled
    expect(recipients).not.toContain('ada@example.org');
    expect((await messages())[0]).toMatchObject({ kind: 'push.link', outcome: 'delivered' });
  });

  it('names the views that remain when it is sent', async () => {
    const fields = { payload: 'tulip', expire_after_views: 2, notify_emails_to: 'ada@example.org' };
    let urlToken = '';
    await unsent(async () => (urlToken = (await owner.client.push(fields)).url_token));
    await running.anonymous.retrieve(urlToken);
    await sendAll();

    expect(server.received[0]?.text).toContain('It can still be opened once');
  });

  it('is in no row of the outbox, not even sealed', async () => {
    await unsent(() => owner.client.push({ payload: 'tulip', notify_emails_to: 'ada@example.org' }));
    const [waiting] = await messages();
    await sendAll();
    const [sent] = await messages();

    expect(waiting?.sealed?.length).toBeLessThan(250);
    expect(JSON.stringify(waiting)).not.toContain('ada@');
    expect(sent).toMatchObject({ sealed: null, masterKeyId: null });
    expect(server.received).toHaveLength(1);
  });

  it.each<[string, object]>([
    ['another account', { status: 403, body: { error: 'Only the owner may mail this push.' } }],
    ['nobody', { status: 401, body: { error: 'A valid API token is needed.' } }],
  ])('is not sent for %s', async (who, answer) => {
    const { url_token } = await owner.client.push({ payload: 'tulip' });
    const unowned = await running.anonymous.push({ payload: 'tulip' });
    const client = who === 'nobody' ? running.anonymous : (await running.newUser()).client;

    for (const token of [url_token, unowned.url_token]) {
      expect(await send(token, { notify_emails_to: 'ada@example.org' }, client)).toMatchObject(answer);
      expect(await send(token, {}, client)).toMatchObject(answer);
    }
    expect(await messages()).toEqual([]);
  });

  it.each<[object]>([
    [{ notify_emails_to: 'ada@example.org' }],
    [{ push: { notify_emails_to: ['ada@example.org', 'Ada@example.org'] } }],
    [new URLSearchParams({ notify_emails_to: 'ada@example.org' })],
    [new URLSearchParams({ 'push[notify_emails_to][]': 'ada@example.org' })],
  ])('of an existing push is sent to whom %j names', async (body) => {
    const { url_token, html_url } = await owner.client.push({ payload: 'tulip' });
    const { status, body: answer } = await send(url_token, body);

    expect([status, answer]).toEqual([
      201,
      { notify_emails_to: ['ada@example.org'], notify_emails_to_locale: 'en' },
    ]);
    expect((await delivered()).map(({ recipients }) => recipients)).toEqual([['ada@example.org']]);
    expect(server.received[0]?.text).toContain(html_url);
  });

  it.each<[object | string, number, object]>([
    [{}, 422, { notify_emails_to: ["can't be blank"] }],
    [{ notify_emails_to: [''] }, 422, { notify_emails_to: ["can't be blank"] }],
    [{ notify_emails_to: 'ada' }, 422, { notify_emails_to: ['must be valid email addresses'] }],
    [[], 422, { notify_emails_to: ["can't be blank"] }],
    ['null', 422, { notify_emails_to: ["can't be blank"] }],
    ['{', 400, { error: expect.any(String) }],
    ['{"constructor": {"prototype": {}}}', 422, { notify_emails_to: ["can't be blank"] }],
  ])('of an existing push is refused for the body %j', async (body, status, error) => {
    const { url_token } = await owner.client.push({ payload: 'tulip' });

    expect(await send(url_token, body as object)).toMatchObject({ status, body: error });
    expect(await messages()).toEqual([]);
  });

  it('of an existing push is refused in another Content-Type', async () => {
    const { url_token } = await owner.client.push({ payload: 'tulip' });
    const path = `/api/v2/pushes/${url_token}/notify_emails`;

    expect(
      await owner.client.send('POST', path, 'ada@example.org', { 'Content-Type': 'text/plain' }),
    ).toMatchObject({ status: 400 });
  });

  it('of an unknown push is a 404, and of one that has ended a 422', async () => {
    const { url_token } = await owner.client.push({ payload: 'tulip', expire_after_views: 1 });
    await running.anonymous.retrieve(url_token);
    const body = { notify_emails_to: 'ada@example.org' };

    expect(await send('unknown'.repeat(5), body)).toMatchObject({ status: 404 });
    expect(await send(url_token, body)).toMatchObject({
      status: 422,
      body: { notify_emails_to: ['cannot be mailed: this push has ended'] },
    });
    expect(await auditKinds(owner.client, url_token)).not.toContain('notify_by_email');
  });

  it('of a push that is over by time is a 422, although no job has run', async () => {
    const creations = running.app.get(CreationsService);
    const visitor = someVisitor({ userId: owner.id });
    const push = someNewPush({ lifetime: MINUTE_MS });
    const { url_token } = await creations.create(push, visitor, after(new Date(), -HOUR_MS));

    expect(await send(url_token, { notify_emails_to: 'ada@example.org' })).toMatchObject({ status: 422 });
  });

  it('is neither in the outbox nor audited when the push cannot be created', async () => {
    const entries = () => running.dataSource.manager.count(AuditEntry);
    const before = await entries();
    const creations = running.app.get(CreationsService);
    const recipients = { emails: ['ada@example.org'], language: 'en' as const };
    const creating = creations.createOnPage(
      someNewPush({ recipients }),
      someVisitor({ userId: owner.id }),
      new Date(),
      (push) => [{ table: { sqlFor: () => 'INSERT INTO nowhere VALUES (?)' } as never, values: [push.id] }],
    );

    await expect(creating).rejects.toThrow();
    expect(await running.dataSource.manager.countBy(Push, { userId: owner.id })).toBe(0);
    expect(await messages()).toEqual([]);
    expect(await entries()).toBe(before);
  });

  it('creates nothing for an account that was deleted meanwhile', async () => {
    const creations = running.app.get(CreationsService);
    const { id } = await running.newUser();
    await running.dataSource.query('DELETE FROM users WHERE id = ?', [id]);
    const recipients = { emails: ['ada@example.org'], language: 'en' as const };

    await expect(
      creations.create(someNewPush({ recipients }), someVisitor({ userId: id })),
    ).rejects.toMatchObject({ status: 401 });
    expect(await messages()).toEqual([]);
  });
});

describe('A mail server that never answers', () => {
  it('delays no response, and no other request', async () => {
    const silent = createServer();
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    const connections: Socket[] = [];
    silent.on('connection', (connection) => connections.push(connection));
    const running = await startApp({
      MAIL_URL: `smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`,
      MAIL_FROM: 'push@example.org',
      PUBLIC_URL: 'https://push.example.org',
    });
    const { client } = await running.newUser();
    const named = { notify_emails_to: 'ada@example.org' };
    const { url_token } = await client.push({ payload: 'tulip', ...named });
    await eventually(() => connections.length > 0);
    const { status } = await client.post(`/api/v2/pushes/${url_token}/notify_emails`, named);
    const retrieved = await running.anonymous.retrieve(url_token);
    const rows = await running.dataSource.manager.find(OutboxMessage);

    expect([status, retrieved.body.payload]).toEqual([201, 'tulip']);
    expect(rows.map(({ outcome }) => outcome)).toEqual([null, null]); // responses have not waited for them
    for (const connection of connections) connection.destroy(); // the app would wait for an answer
    await running.stop();
    await new Promise((resolve) => silent.close(resolve));
  });
});

describe('Without MAIL_URL, the link of an existing push', () => {
  it('is not available', async () => {
    const running = await startApp();
    const { client } = await running.newUser();
    const { url_token } = await client.push({ payload: 'tulip' });
    const body = { notify_emails_to: 'ada@example.org' };

    expect(await client.post(`/api/v2/pushes/${url_token}/notify_emails`, body)).toMatchObject({
      status: 422,
      body: { notify_emails_to: ['are not available'] },
    });
    expect((await running.anonymous.get('/api/v2/version')).body.features.pushes).toMatchObject({
      email_auto_dispatch: false,
    });
    await running.stop();
  });
});
