import type { Language } from '../../src/texts/languages.js';
import { Translator } from '../../src/texts/translator.js';
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { createServer } from 'node:net';
import { AuditEntry } from '../../src/audit/audit-entry.entity.js';
import { User } from '../../src/auth/entities/user.entity.js';
import { AccountAdministration } from '../../src/auth/users/account-administration.js';
import { OutboxSchedule } from '../../src/platform/outbox/outbox.schedule.js';
import { OutboxMessage } from '../../src/platform/outbox/outbox-message.entity.js';
import { OutboxSender } from '../../src/platform/outbox/outbox-sender.js';
import { AuditChainService } from '../../src/pushes/audit-log/audit-chain.service.js';
import { CreationsService } from '../../src/pushes/create/creations.service.js';
import { Push } from '../../src/pushes/push/push.entity.js';
import { HOUR_MS, MINUTE_MS } from '../../src/platform/settings/units.js';
import { auditKinds, tally } from '../support/audit-kinds.js';
import { allAtOnce } from '../support/concurrent-calls.js';
import { field, form, postBytes } from '../support/client-forms.js';
import { clientEncryptedPush } from '../support/age-files.js';
import { API_VERSIONS } from '../support/api-versions.js';
import { eventually } from '../support/eventually.js';
import { forAllTests, forEachTest, forThisTest } from '../support/for-tests.js';
import { startMailServer } from '../support/mail-server.js';
import { after, someNewPush, someVisitor } from '../support/new-pushes.js';
import { newSignedInUser } from '../support/page-client.js';
import type { TestUser } from '../support/start-app.js';
import { startApp } from '../support/start-app.js';

describe('The link of a push by mail', () => {
  const server = forAllTests(startMailServer);
  const running = forAllTests(() => startApp(server.env));
  let owner: TestUser;

  beforeEach(async () => {
    await sendAll(); // what an earlier test has left
    owner = await running.newUser();
    await running.dataSource.manager.deleteAll(OutboxMessage);
    server.received.length = 0;
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

  describe('that a person sends from a page', () => {
    const member = forEachTest(() => newSignedInUser(running));

    beforeEach(() => change({ emailUnverified: false }));

    /** From the form of a new push, and from the page of an existing one. */
    const sendBoth = async () => {
      const { body } = await member.pageClient.post('/', {
        'push[payload]': 'tulip',
        'push[notify_emails_to]': 'ada@example.org',
      });
      const [, urlToken] = /\/p\/([\w-]{43})/.exec(body) ?? [];
      await member.pageClient.post(`/p/${urlToken}/notify_emails`, { notify_emails_to: 'bob@example.org' });
      return delivered();
    };
    const change = (columns: Partial<User>) =>
      running.dataSource.manager.update(User, { id: member.id }, columns);

    it('names the account', async () => {
      const mails = await sendBoth();

      expect(mails).toHaveLength(2);
      for (const { subject, text, html } of mails) {
        expect(subject).toBe(`${member.email} sent you a secret with Sealpush`);
        for (const part of [text, html]) {
          expect(part).toContain(`${member.email} sent you a secret with Sealpush`);
          expect(part).not.toMatch(/who the sender is|If you did not ask/);
        }
      }
    });

    it('does not when the account does not want that', async () => {
      const named = await member.pageClient.get('/users/notices');
      await member.pageClient.post('/users/notices');
      const unnamed = await member.pageClient.get('/users/notices');
      const mails = await sendBoth();
      await member.pageClient.post('/users/notices', { named: 'on' });

      expect(named.body).toMatch(/name="named"[^>]* checked/);
      expect(unnamed.body).not.toMatch(/name="named"[^>]* checked/);
      expect((await member.pageClient.get('/users/notices')).body).toMatch(/name="named"[^>]* checked/);
      for (const { subject, raw, text } of mails) {
        expect(subject).toBe('Someone sent you a secret with Sealpush');
        expect(text).toContain('does not say who the sender is');
        expect(raw).not.toContain(member.email);
      }
    });

    it('names it as text, whatever it consists of (E10)', async () => {
      await change({ email: "o'neil&{x}@example.org" });
      const [mail] = await sendBoth();

      expect(mail?.subject).toBe("o'neil&{x}@example.org sent you a secret with Sealpush");
      expect(mail?.html).toContain("o'neil&amp;{x}@example.org sent you");
    });

    it.each(['a@example.org\r\nBcc: eve@example.org', '\u202eada@example.org', '"<b>"@example.org'])(
      'does not name it as %j, which could end a header or look like another (E10)',
      async (email) => {
        await change({ email });
        const mails = await sendBoth();

        expect(mails.map(({ recipients }) => recipients)).toEqual([['ada@example.org'], ['bob@example.org']]);
        for (const { subject, raw } of mails) {
          expect(subject).toBe('Someone sent you a secret with Sealpush');
          expect(raw).not.toMatch(/eve|<b>|\u202e/);
        }
      },
    );
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
    expect(mail?.subject).toBe('Jemand hat Ihnen mit Sealpush ein Geheimnis geschickt');
  });

  it('has a page that opens after a click, whatever its form, and the push stays as it was created (A9)', async () => {
    const { url_token, html_url, retrieval_step } = await owner.client.push({
      payload: 'tulip',
      notify_emails_to: 'ada@example.org',
    });
    const { url_token: later } = await owner.client.push({ payload: 'tulip' });
    const { url_token: notMailed } = await owner.client.push({ payload: 'tulip' });
    const opensItself = async (path: string) =>
      (await running.anonymous.send('GET', path)).body.includes('data-sent-by-itself');
    expect(await opensItself(`/p/${later}`)).toBe(true);
    await send(later as string, { notify_emails_to: 'ada@example.org' });

    for (const token of [url_token, later])
      for (const end of ['', '/r', '?utm_source=mail'])
        expect(await opensItself(`/p/${token}${end}`)).toBe(false);
    expect(await opensItself(`/p/${notMailed}`)).toBe(true);
    expect(retrieval_step).toBe(false);
    expect(html_url).toBe(`https://push.example.org/p/${url_token}`);
    const retrieved = await running.anonymous.retrieve(url_token as string);
    expect(retrieved.body).toMatchObject({ payload: 'tulip', retrieval_step: false });
  });

  it('begins with PUBLIC_URL, whatever the host of the request (D4)', async () => {
    await owner.client
      .with({ 'X-Forwarded-Host': 'evil.example' })
      .push({ payload: 'tulip', notify_emails_to: 'ada@example.org' });
    const [mail] = await delivered();

    expect(mail?.text).toContain('https://push.example.org/p/');
    expect(mail?.raw).not.toContain('evil.example');
  });

  it.each<[string | null | undefined, Language]>([
    ['de', 'de'],
    ['de-AT', 'de'],
    [' DE ', 'de'],
    ['fr', 'fr'],
    ['pt_PT', 'pt-BR'],
    ['ar-EG', 'ar'],
    ['en-US', 'en'],
    ['', 'en'],
    [null, 'en'],
    [undefined, 'en'],
  ])('is in the language of the locale %j, or in English', async (locale, language) => {
    const t = new Translator(language);
    await owner.client.push({
      payload: 'tulip',
      notify_emails_to: 'ada@example.org',
      notify_emails_to_locale: locale,
    });

    const [mail] = await delivered();
    expect(mail?.subject).toBe(t.text('mail.link.subject', { isNamed: 'no', sender: '', site: 'Sealpush' }));
    expect(mail?.text).toContain(t.text('mail.link.unexpected'));
    expect(mail?.html).toContain(`<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`);
  });

  it.each<[unknown]>([
    ['fi'],
    ['tlh'],
    ['deutsch!'],
    [17],
    [['de', 'en']],
    [{}],
    ['x'.repeat(100_000)],
    ['en-aa'.repeat(9)],
  ])('is refused with the locale %j', async (locale) => {
    const fields = {
      payload: 'a',
      notify_emails_to: 'ada@example.org',
      notify_emails_to_locale: locale,
    };

    expect(await create(fields)).toMatchObject({
      status: 422,
      body: { notify_emails_to_locale: ['is not within the available options'] },
    });
  });

  describe.each(API_VERSIONS)('that is named over $version', ({ path, key }) => {
    const post = (head: string, body: string | Buffer) =>
      postBytes({ url: running.url, token: owner.token }, path, [`Content-Type: ${head}`], body);
    const addresses = async () => (await delivered()).flatMap(({ recipients }) => recipients).sort();

    it.each<[unknown]>([
      [['ada@example.org', 'bob@example.org']],
      ['ada@example.org,bob@example.org'],
      [' ada@example.org , bob@example.org '],
      [['ada@example.org', '', ' bob@example.org ']],
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

  it.each<[unknown, ...string[]]>([
    ['ada', 'contains invalid email(s)'],
    ['ada@example.org\r\nBcc: eve@example.org', 'contains invalid email(s)'],
    ['ada@example.org;eve@example.org', 'contains invalid email(s)'],
    ['Ada <ada@example.org>', 'contains invalid email(s)'],
    [['ada@example.org,eve@example.org'], 'contains invalid email(s)'],
    ['"a b"@example.org', 'contains invalid email(s)'],
    ['ada\u202e@example.org', 'contains invalid email(s)'],
    ['ada\u200b@example.org', 'contains invalid email(s)'],
    ['ada\0@example.org', 'contains invalid email(s)'],
    ['ada\ud800@example.org', 'contains invalid email(s)'],
    [`${'a'.repeat(300)}@example.org`, 'contains invalid email(s)'],
    [`a@${'a.'.repeat(130)}example.org`, 'contains invalid email(s)'],
    [[{ to: 'ada@example.org' }], 'must be a list of email addresses, or a text with commas between them'],
    [[['ada@example.org']], 'must be a list of email addresses, or a text with commas between them'],
    [{ to: 'ada@example.org' }, 'must be a list of email addresses, or a text with commas between them'],
    [17, 'must be a list of email addresses, or a text with commas between them'],
    [true, 'must be a list of email addresses, or a text with commas between them'],
    [Array.from({ length: 6 }, (_, i) => `a${i}@example.org`), 'contains more than 5 email(s)'],
    ['a@b.example,'.repeat(100_000), 'contains more than 5 email(s)'],
    [','.repeat(1_000_000) + 'a@b.example', 'contains more than 5 email(s)'],
    ['ada@example.org,', 'has commas used in the wrong way'],
    [',ada@example.org', 'has commas used in the wrong way'],
    ['ada@example.org, ,bob@example.org', 'has commas used in the wrong way'],
    [',', 'has commas used in the wrong way'],
    ['ada@example.org,ada@example.org', 'contains duplicate emails'],
    [['ada@example.org', ' ADA@example.org'], 'contains duplicate emails'],
    [
      'ada@example.org,,ada@example.org,bob',
      'has commas used in the wrong way',
      'contains duplicate emails',
      'contains invalid email(s)',
    ],
  ])('is refused for hostile recipients, and nothing is created (E10)', async (named, ...messagesOf) => {
    const refusal = { status: 422, body: { notify_emails_to: messagesOf } };
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
    const post = (fields: object) => running.anonymous.post(path, { [key]: { payload: 'tulip', ...fields } });
    const refusal = { notify_emails_to: ['are not allowed for unknown users'] };

    for (const named of ['ada@example.org', 'no address', ['ada@example.org']]) {
      expect(await post({ notify_emails_to: named })).toMatchObject({ status: 422, body: refusal });
      const answer = await post({ notify_emails_to: named, notify_emails_to_locale: 'de' });
      expect([answer.status, answer.body]).toEqual([
        422,
        { ...refusal, notify_emails_to_locale: ['is not allowed for unknown users'] },
      ]);
    }
    expect((await post({ notify_emails_to: [''], notify_emails_to_locale: 'de' })).status).toBe(201);
    expect(await messages()).toEqual([]);
  });

  it.each<[unknown, unknown, object]>([
    ['ada@example.org', 'de', { notify_emails_to: 'ada@example.org', notify_emails_to_locale: 'de' }],
    [
      ' ada@example.org,bob@example.org ',
      undefined,
      { notify_emails_to: ' ada@example.org,bob@example.org ' },
    ],
    [
      ['ada@example.org', '', 'bob@example.org'],
      '',
      { notify_emails_to: ['ada@example.org', 'bob@example.org'] },
    ],
  ])('is repeated in the response, as %j in the locale %j', async (named, locale, repeated) => {
    const fields = { payload: 'tulip', notify_emails_to: named, notify_emails_to_locale: locale };
    const { body } = await create(fields);

    expect(body).toMatchObject({ notify_emails_to_locale: null, ...repeated });
  });

  it('is in no response to a push that names nobody', async () => {
    const { body } = await create({ payload: 'tulip', notify_emails_to: '', notify_emails_to_locale: 'de' });

    expect(Object.keys(body)).not.toContainEqual(expect.stringContaining('notify_emails_to'));
  });

  it('is in the audit log of all pushes without an address', async () => {
    const { url_token } = await owner.client.push({
      payload: 'tulip',
      notify_emails_to: 'ada@example.org,bob@example.org',
    });
    await send(url_token, { notify_emails_to: ['eve@example.org'] });
    await running.app.get(AuditChainService).chainNewEntries(); // a request does so for a second at most
    const { body } = await owner.client.get('/api/v2/audit');

    expect(body.match(/"kind":"creation_email_send"/g)).toHaveLength(2);
    expect(body).not.toMatch(/(ada|bob|eve)@/);
  });

  it('is not sent when the push has ended meanwhile', async () => {
    const { url_token } = await owner.client.push({ payload: 'tulip' });
    await unsent(() => send(url_token, { notify_emails_to: 'ada@example.org' }));
    await owner.client.delete(`/api/v2/pushes/${url_token}`);
    await sendAll();

    expect(server.received).toEqual([]);
    expect(await messages()).toMatchObject([{ outcome: 'dropped', sealed: null }]);
  });

  it('is not sent when the account has been disabled meanwhile', async () => {
    const administration = running.app.get(AccountAdministration);
    await unsent(() => owner.client.push({ payload: 'tulip', notify_emails_to: 'ada@example.org' }));
    await administration.disable(await administration.findById(owner.id));
    await sendAll();

    const recipients = server.received.flatMap((mail) => mail.recipients); // the owner is told that it was disabled
    expect(recipients).not.toContain('ada@example.org');
    expect((await messages())[0]).toMatchObject({ kind: 'push.link', outcome: 'dropped' });
  });

  it('names the views that remain when it is sent', async () => {
    const fields = { payload: 'tulip', expire_after_views: 2, notify_emails_to: 'ada@example.org' };
    let urlToken = '';
    await unsent(async () => (urlToken = (await owner.client.push(fields)).url_token));
    await running.anonymous.retrieve(urlToken);
    await sendAll();

    expect(server.received[0]?.text).toContain('It can be opened once');
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
    [{ notify_emails_to: ['ada@example.org'], notify_emails_to_locale: 'de' }],
    [new URLSearchParams({ notify_emails_to: 'ada@example.org' })],
    [new URLSearchParams({ 'notify_emails_to[]': 'ada@example.org' })],
  ])('of an existing push is sent to whom %j names', async (body) => {
    const { url_token, html_url } = await owner.client.push({ payload: 'tulip' });
    const { status, body: answer } = await send(url_token, body);

    expect([status, answer]).toEqual([201, { message: 'Recipient(s) are added to the queue to be sent.' }]);
    expect((await delivered()).map(({ recipients }) => recipients)).toEqual([['ada@example.org']]);
    expect(server.received[0]?.text).toContain(html_url);
  });

  it.each<[object | string, number, object]>([
    [{}, 422, { notify_emails_to: ['cannot be left blank'] }],
    [{ notify_emails_to: [''] }, 422, { notify_emails_to: ['cannot be left blank'] }],
    [{ notify_emails_to: 'ada' }, 422, { notify_emails_to: ['contains invalid email(s)'] }],
    [[], 422, { notify_emails_to: ['cannot be left blank'] }],
    ['null', 422, { notify_emails_to: ['cannot be left blank'] }],
    ['{', 400, { error: expect.any(String) }],
    ['{"constructor": {"prototype": {}}}', 422, { notify_emails_to: ['cannot be left blank'] }],
  ])('of an existing push is refused for the body %j', async (body, status, error) => {
    const { url_token } = await owner.client.push({ payload: 'tulip' });

    expect(await send(url_token, body as object)).toMatchObject({ status, body: error });
    expect(await messages()).toEqual([]);
  });

  it('is sent to five recipients of a push in all', async () => {
    const emails = (count: number) => Array.from({ length: count }, (_, i) => `a${i}@example.org`).join(',');
    const { url_token } = await owner.client.push({ payload: 'tulip', notify_emails_to: emails(3) });
    const refused = await send(url_token, { notify_emails_to: emails(3) });

    expect([refused.status, refused.body]).toEqual([
      422,
      { base: ['You can notify up to 5 email(s) and you have already sent emails to 3 recipients'] },
    ]);
    expect((await send(url_token, { notify_emails_to: emails(2) })).status).toBe(201);
    expect((await send(url_token, { notify_emails_to: emails(1) })).status).toBe(422);
    expect(await messages()).toHaveLength(5);
  });

  it('is sent to no more than five recipients of a push by concurrent requests (I3)', async () => {
    const { url_token } = await owner.client.push({ payload: 'tulip' });
    const answers = await allAtOnce(5, (i) =>
      send(url_token, { notify_emails_to: `a${i}@example.org,b${i}@example.org` }),
    );

    expect(tally(answers.map(({ status }) => status))).toEqual({ 201: 2, 422: 3 });
    expect(await messages()).toHaveLength(4);
    expect(await auditKinds(owner.client, url_token)).toEqual([
      'creation',
      'creation_email_send',
      'creation_email_send',
    ]);
  });

  it('is asked for five times a minute by an account, counting what is refused (I3)', async () => {
    const { url_token } = await owner.client.push({ payload: 'tulip' });
    const other = await (await running.newUser()).client.push({ payload: 'tulip' });
    const body = { notify_emails_to: 'ada@example.org' };
    const tooMany = {
      status: 429,
      body: { error: 'Too many email notification requests. Please try again in a minute.' },
    };
    expect((await send('unknown'.repeat(5), body)).status).toBe(404);
    expect((await send(url_token, body)).status).toBe(201);
    expect((await send(url_token, {})).status).toBe(422);
    expect((await send(other.url_token, body)).status).toBe(403);
    expect((await send(url_token, { notify_emails_to: 'ada' })).status).toBe(422);
    expect((await send(url_token, { notify_emails_to: 'bob@example.org' })).status).toBe(201);
    const refused = await send(url_token, body);

    expect(refused).toMatchObject(tooMany);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect(await send(other.url_token, body)).toMatchObject(tooMany); // before the 403, and after the 404
    expect((await send('unknown'.repeat(5), body)).status).toBe(404);
    expect(await messages()).toHaveLength(2);
    const { client } = await running.newUser();
    expect((await send((await client.push({ payload: 'tulip' })).url_token, body, client)).status).toBe(201);
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
      body: { notify_emails_to: ['are not available for expired pushes'] },
    });
    expect(await send(url_token, { ...body, notify_emails_to_locale: 'de' })).toMatchObject({
      status: 422,
      body: { notify_emails_to_locale: ['is not available for expired pushes'] },
    });
    expect(await auditKinds(owner.client, url_token)).not.toContain('creation_email_send');
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
    const mailedTo = { given: 'ada@example.org', locale: null };
    const creating = creations.createOnPage(
      someNewPush({ mailedTo }),
      someVisitor({ userId: owner.id }),
      new Date(),
      (tx) => {
        tx.execute({ sql: 'INSERT INTO nowhere VALUES (1)', values: [] });
      },
    );

    await expect(creating).rejects.toThrow();
    expect(await running.dataSource.manager.countBy(Push, { userId: owner.id })).toBe(0);
    expect(await messages()).toEqual([]);
    expect(await entries()).toBe(before);
  });

  it('creates nothing for an account that was deleted meanwhile', async () => {
    const creations = running.app.get(CreationsService);
    const { id } = await running.newUser();
    await running.query('DELETE FROM users WHERE id = ?', [id]);
    const mailedTo = { given: 'ada@example.org', locale: null };

    await expect(
      creations.create(someNewPush({ mailedTo }), someVisitor({ userId: id })),
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
    const running = await forThisTest(startApp());
    const { client } = await running.newUser();
    const { url_token } = await client.push({ payload: 'tulip' });
    const body = { notify_emails_to: 'ada@example.org' };

    for (const fields of [body, {}])
      expect(await client.post(`/api/v2/pushes/${url_token}/notify_emails`, fields)).toMatchObject({
        status: 404,
        body: { error: 'not-found' },
      });
    expect((await running.anonymous.get('/api/v2/version')).body.features.pushes).toMatchObject({
      email_auto_dispatch: false,
      recipients: false,
    });
  });
});
