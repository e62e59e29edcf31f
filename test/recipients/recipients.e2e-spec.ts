import { randomUUID } from 'node:crypto';
import { MAX_AUDITED } from '../../src/audit/audit-entry.entity.js';
import { AccountRemovalService } from '../../src/pushes/account-removal/account-removal.service.js';
import { digestOf } from '../../src/platform/random/random.js';
import { AuditChainService } from '../../src/pushes/audit-log/audit-chain.service.js';
import { Push } from '../../src/pushes/push/push.entity.js';
import { EnteredAddress } from '../../src/pushes/recipients/recipients.service.js';
import { auditKinds } from '../support/audit-kinds.js';
import { forAllTests, forThisTest } from '../support/for-tests.js';
import { startMailServer } from '../support/mail-server.js';
import { allSent } from '../support/mailbox.js';
import { asData, newSignedInUser, PageClient } from '../support/page-client.js';
import { askForCode, Recipients } from '../support/recipients.js';
import type { TestUser } from '../support/start-app.js';
import { startApp } from '../support/start-app.js';

const ADA = 'ada@example.org';
const NEEDED = {
  error:
    'This push opens for its recipients only. Ask for a code with POST /api/v2/pushes/TOKEN/code, and send the headers X-Push-Recipient and X-Push-Code.',
};
const KEYS = ['recipients_required', 'recipients', 'once_per_recipient', 'recipient'];

describe('A push that names its recipients', () => {
  const server = forAllTests(startMailServer);
  const running = forAllTests(() => startApp(server.env));
  const recipients = forAllTests(() => new Recipients(running, server));
  let owner: TestUser;

  beforeEach(async () => {
    await recipients.reset();
    owner = await running.newUser();
  });

  const create = (fields: object, client = owner.client) =>
    client.post('/api/v2/pushes', { push: { payload: 'tulip', ...fields } });
  const refusal = async (fields: object) => {
    const { status, body } = await create(fields);
    return [status, body];
  };
  const ownList = async () => (await owner.client.get('/api/v2/pushes/active')).body[0];

  it('is announced in GET /version', async () => {
    expect((await running.anonymous.get('/api/v2/version')).body.features.pushes.recipients).toBe(true);
  });

  it('shows them to its owner alone', async () => {
    const created = await create({
      recipients: [' Ada@Example.ORG', '@example.com'],
      once_per_recipient: true,
    });
    const own = { recipients: [ADA, '@example.com'], once_per_recipient: true, recipients_required: true };
    const { url_token } = created.body;
    const code = await recipients.codeFor(url_token, ADA);
    const { body: opened } = await recipients.open(url_token, ADA, code);

    expect(created.body).toMatchObject(own);
    expect(await ownList()).toMatchObject(own);
    expect(opened).toMatchObject({ payload: 'tulip', recipients_required: true });
    expect(opened).not.toHaveProperty('recipients');
    expect(opened).not.toHaveProperty('once_per_recipient');
  });

  it('adds no key to what is said of other pushes', async () => {
    const created = await create({ recipients: [], once_per_recipient: false });
    const { body: retrieved } = await running.anonymous.retrieve(created.body.url_token);
    const { body: audit } = await owner.client.get(`/api/v2/pushes/${created.body.url_token}/audit`);

    for (const body of [created.body, retrieved, await ownList(), ...audit.logs])
      for (const key of KEYS) expect(body).not.toHaveProperty(key);
  });

  it.each([
    ['a text with commas', 'ada@example.org, @example.com'],
    ['a list', ['ada@example.org', '@example.com']],
    ['a list with blank entries', ['', 'ada@example.org', ' ', '@example.com']],
  ])('takes %s', async (_form, given) => {
    expect((await create({ recipients: given })).body.recipients).toEqual([ADA, '@example.com']);
  });

  const LIST = 'must be a list of email addresses and domains, or a text with commas between them';
  const ADDRESS = 'must each be an email address, or a domain such as @example.com';
  const many = (count: number) => Array.from({ length: count }, (_, i) => `a${i}@example.org`);

  it.each<[unknown, string]>([
    [7, LIST],
    [true, LIST],
    [{}, LIST],
    [{ __proto__: null, length: 1 }, LIST],
    [[['ada@example.org']], LIST],
    [[1e9], LIST],
    [['ada@example.org', null], LIST],
    ['ada', ADDRESS],
    ['ada@example.org,', ADDRESS],
    ['@', ADDRESS],
    ['@localhost', ADDRESS],
    ['@*.example.org', ADDRESS],
    ['@@example.org', ADDRESS],
    ['ada@example.org@example.com', ADDRESS],
    ['ada@example.org\r\nBcc: bob@example.org', ADDRESS],
    ['ada@exam\u0000ple.org', ADDRESS],
    ['ada\u200b@example.org', ADDRESS],
    ['\u202eada@example.org', ADDRESS],
    ['Ada <ada@example.org>', ADDRESS],
    ['"a b"@example.org', ADDRESS],
    [`${'a'.repeat(250)}@example.org`, ADDRESS],
    [['ada@example.org', 'ADA@example.org'], 'contains duplicate emails'],
    [many(21), 'must have at most 20 entries'],
    [many(5000), 'must have at most 20 entries'],
    ['a'.repeat(1_000_000), 'must have at most 20 entries'],
  ])('is refused for the recipients in case %# (I4, E10)', async (given, message) => {
    expect(await refusal({ recipients: given })).toEqual([422, { recipients: [message] }]);
  });

  it('takes 20 of them', async () => {
    expect((await create({ recipients: many(20) })).body.recipients).toHaveLength(20);
  });

  it('cannot open once for each of none', async () => {
    const message = 'must be false when there are no recipients';

    expect(await refusal({ once_per_recipient: true })).toEqual([422, { once_per_recipient: [message] }]);
    expect(await refusal({ once_per_recipient: 'often' })).toEqual([
      422,
      { once_per_recipient: ['must be true or false'] },
    ]);
  });

  it('opens to nobody without a code, and nothing is used up (A9, A10, A11)', async () => {
    const { url_token } = await owner.client.push({
      payload: 'tulip',
      recipients: [ADA],
      passphrase: 'horse',
    });
    const client = running.anonymous;
    const answers = [
      await client.retrieve(url_token),
      await client.retrieve(url_token, 'horse'),
      await client.retrieve(url_token, 'wrong'),
      await client.with({ 'X-Push-Recipient': ADA }).retrieve(url_token, 'horse'),
      await client.with({ 'X-Push-Code': '12345678' }).retrieve(url_token, 'horse'),
      await client.get(`/p/${url_token}.json?passphrase=horse`),
      await client.get(`/f/${url_token}.json?passphrase=horse`),
    ];

    for (const { status, body } of answers) expect([status, body]).toMatchObject([401, NEEDED]);
    expect(await ownList()).toMatchObject({ views_remaining: 5 });
    expect(await auditKinds(owner.client, url_token)).toEqual(['creation']);
  });

  it('opens to its owner without a code', async () => {
    const { url_token } = await owner.client.push({ payload: 'tulip', recipients: [ADA] });

    expect((await owner.client.retrieve(url_token)).body).toMatchObject({ payload: 'tulip' });
  });

  it('opens to no other account without a code (C1)', async () => {
    const { url_token } = await running.anonymous.push({ payload: 'tulip', recipients: [ADA] });

    expect((await owner.client.retrieve(url_token)).status).toBe(401);
  });

  it.each([true, false])('opens with a code, created with an account: %s', async (hasAccount) => {
    const client = hasAccount ? owner.client : running.anonymous;
    const { url_token } = await client.push({ payload: 'tulip', recipients: [ADA], expire_after_views: 1 });
    const code = await recipients.codeFor(url_token, ADA);
    const { status, body } = await recipients.open(url_token, ADA, code);

    expect([status, body.payload, body.views_remaining]).toEqual([200, 'tulip', 0]);
    expect((await recipients.open(url_token, ADA, code)).body).toMatchObject({
      expired: true,
      payload: null,
    });
  });

  it('opens in version 1 of the API with the same headers', async () => {
    const { url_token } = await owner.client.push({ payload: 'tulip', recipients: [ADA] });
    const headers = { 'X-Push-Recipient': ADA, 'X-Push-Code': await recipients.codeFor(url_token, ADA) };

    expect((await running.anonymous.with(headers).get(`/r/${url_token}.json`)).body.payload).toBe('tulip');
  });

  it('opens to everybody in a domain that it names, but not in its subdomains (L14)', async () => {
    const { url_token } = await owner.client.push({ payload: 'tulip', recipients: ['@example.com'] });
    const code = await recipients.codeFor(url_token, 'Bob@Example.com');
    for (const other of [
      'bob@sub.example.com',
      'bob@example.com.org',
      'bob@notexample.com',
      'bob@éxample.com',
    ])
      await askForCode(running.anonymous, url_token, other);

    expect((await recipients.open(url_token, 'bob@example.com', code)).body.payload).toBe('tulip');
    expect((await recipients.codesOf('bob@example.com')).length).toBe(1);
    expect(server.received).toHaveLength(1);
  });

  it('does not take an address with an accent for one without (L14)', async () => {
    const { url_token } = await owner.client.push({ payload: 'tulip', recipients: ['josé@example.org'] });
    await askForCode(running.anonymous, url_token, 'jose@example.org');
    const code = await recipients.codeFor(url_token, 'José@example.org');

    expect((await recipients.open(url_token, 'jose@example.org', code)).status).toBe(401);
    expect((await recipients.open(url_token, 'josé@example.org', code)).body.payload).toBe('tulip');
    expect(server.received.map(({ recipients: to }) => to)).toEqual([['josé@example.org']]);
  });

  it('says in its audit log who has opened it, to its owner alone', async () => {
    const { url_token } = await owner.client.push({ payload: 'tulip', recipients: ['@example.org'] });
    await recipients.open(url_token, ADA, await recipients.codeFor(url_token, ADA));
    await owner.client.retrieve(url_token);
    await recipients.open(url_token, ADA, '00000000');
    const { body } = await owner.client.get(`/api/v2/pushes/${url_token}/audit`);

    expect(body.logs.map(({ kind, recipient }: Record<string, string>) => [kind, recipient])).toEqual([
      ['creation', undefined],
      ['view', ADA],
      ['view', undefined],
      ['failed_code', undefined],
    ]);
    expect(body.logs.map(({ entered_email }: Record<string, string>) => entered_email)).toEqual([
      ...[undefined, undefined, undefined],
      ADA,
    ]);
    expect((await running.anonymous.get(`/api/v2/pushes/${url_token}/audit`)).status).toBe(401);
  });

  describe('and somebody who is not', () => {
    const MALLORY = 'mallory+xx@example.net';
    const logOf = async (urlToken: string) =>
      (await owner.client.get(`/api/v2/pushes/${urlToken}/audit`)).body.logs as Record<string, string>[];
    const askAs = async (urlToken: string, email: unknown, headers: Record<string, string> = {}) => {
      await askForCode(running.anonymous.with(headers), urlToken, email);
      await allSent(running);
    };

    it('are told apart in the log: who asked for a code, and whose code was wrong', async () => {
      const { url_token } = await owner.client.push({ payload: 'tulip', recipients: [ADA] });
      await askAs(url_token, MALLORY.toUpperCase(), {
        'User-Agent': 'curl/8.5.0',
        Referer: `https://mail.example/${url_token}`,
      });
      await recipients.open(url_token, MALLORY, '12345678');
      await recipients.codeFor(url_token, ADA); // of whom there is nothing to tell
      const log = await logOf(url_token);

      expect(log.map(({ kind, entered_email }) => [kind, entered_email])).toEqual([
        ['creation', undefined],
        ['code_refused', MALLORY],
        ['failed_code', MALLORY],
      ]);
      expect(log[1]).toMatchObject({
        ...{ ip: '127.0.0.1', user_agent: 'curl/8.5.0', referrer: 'https://mail.example' },
      });
      await running.app.get(AuditChainService).chainNewEntries();
      const ofAllPushes = JSON.stringify((await owner.client.get('/api/v2/audit')).body);
      expect(ofAllPushes).toContain('code_refused');
      expect(ofAllPushes).not.toContain('mallory');
    });

    it('are told apart on the page of its owner, as text, and by nobody else (E5)', async () => {
      const { pageClient } = await newSignedInUser(running);
      const { body: created } = await pageClient.post('/', {
        'push[payload]': 'tulip',
        'push[recipients]': ADA,
      });
      const [, urlToken = ''] = /\/p\/([\w-]{43})/.exec(created) ?? [];
      const hostile = "<b>'&amp;'@example.net";
      await askAs(urlToken, MALLORY);
      await recipients.open(urlToken, MALLORY, '12345678');
      await recipients.open(urlToken, hostile, '12345678');
      await recipients.open(urlToken, `${'x'.repeat(3000)}@example.net`, '12345678');
      const { body } = await pageClient.get(`/p/${urlToken}/audit`);

      expect(body).toContain('asked for a code');
      expect(body.split(asData(MALLORY))).toHaveLength(3);
      expect(body.match(/Wrong code/g)).toHaveLength(3);
      expect(body).not.toMatch(/<b>'|xxx/);
      const others = await (await newSignedInUser(running)).pageClient.get(`/p/${urlToken}/audit`);
      expect([others.status, others.body]).toEqual([404, expect.not.stringContaining('mallory')]);
      expect((await new PageClient(running.url).get(`/p/${urlToken}`)).body).not.toContain('mallory');
    });

    it('are in the database sealed, as long as the log, and not for pushes without an owner (H2)', async () => {
      const { manager } = running.dataSource;
      await manager.deleteAll(EnteredAddress);
      const { url_token } = await owner.client.push({ payload: 'tulip', recipients: [ADA] });
      const { url_token: ownerless } = await running.anonymous.push({ payload: 'tulip', recipients: [ADA] });
      for (const token of [url_token, ownerless]) await askAs(token, MALLORY);
      const rows = await manager.find(EnteredAddress);

      expect(rows).toHaveLength(1);
      expect(rows[0]?.sealed.includes('mallory')).toBe(false);
      await manager.update(EnteredAddress, rows[0]?.auditEntryId ?? '', { sealed: Buffer.from('x') });
      expect((await logOf(url_token)).map(({ kind }) => kind)).toEqual(['creation', 'code_refused']);
      await running.app.get(AccountRemovalService).remove(owner);
      expect(await manager.count(EnteredAddress)).toBe(0);
    });

    it('are recorded as often as other failures (I3)', async () => {
      const { url_token } = await owner.client.push({ payload: 'tulip', recipients: [ADA] });
      const tokenDigest = digestOf(url_token);
      await running.dataSource.manager.update(Push, { tokenDigest }, { failuresAudited: MAX_AUDITED - 1 });
      for (let asked = 0; asked < 3; asked++) await askAs(url_token, MALLORY);

      expect((await logOf(url_token)).map(({ kind }) => kind)).toEqual(['creation', 'code_refused']);
    });
  });

  it('are replaced by its owner over the API, at once and together with other changes', async () => {
    const { url_token } = await owner.client.push({ payload: 'tulip', recipients: [ADA, '@example.com'] });
    const code = await recipients.codeFor(url_token, ADA);
    const changed = await owner.client.change(url_token, {
      recipients: 'bob@example.org',
      expire_after_views: 2,
    });
    const again = await owner.client.change(url_token, { recipients: ['BOB@example.org'] });
    const bobs = await recipients.codeFor(url_token, 'bob@example.org');

    expect(changed).toMatchObject({
      status: 200,
      body: { recipients: ['bob@example.org'], expire_after_views: 2 },
    });
    expect(again.body.updated_at).toBe(changed.body.updated_at);
    expect((await recipients.open(url_token, ADA, code)).status).toBe(401);
    expect((await recipients.open(url_token, 'bob@example.org', bobs)).body.payload).toBe('tulip');
    expect(await auditKinds(owner.client, url_token)).toEqual(['creation', 'edit', 'failed_code', 'view']);
  });

  it.each<[object, object, object]>([
    [{ recipients: [ADA] }, { recipients: [] }, { recipients: ['cannot be left blank'] }],
    [{ recipients: [ADA] }, { recipients: ['ada'], expire_after_views: 1 }, { recipients: [ADDRESS] }],
    [{ recipients: [ADA] }, { once_per_recipient: true }, { once_per_recipient: ['cannot be changed'] }],
    [{}, { recipients: [ADA] }, { recipients: [expect.stringMatching(/only.*created/)] }],
  ])('are not changed in case %#, nor is anything else', async (fields, change, errors) => {
    const { url_token } = await owner.client.push({ payload: 'tulip', ...fields });
    const before = await ownList();

    expect(await owner.client.change(url_token, change)).toMatchObject({ status: 422, body: errors });
    expect(await ownList()).toEqual(before);
    expect((await (await running.newUser()).client.change(url_token, { recipients: [ADA] })).status).toBe(
      404,
    );
  });

  it('get no code before the push opens, nor from another network', async () => {
    const opens_at = new Date(Date.now() + 3_600_000).toISOString();
    const later = await owner.client.push({ payload: 'tulip', recipients: [ADA], opens_at });
    const inside = { payload: 'tulip', recipients: [ADA], allowed_networks: '192.0.2.0/24' };
    const elsewhere = await owner.client.push(inside);

    for (const { url_token } of [later, elsewhere])
      expect((await askForCode(running.anonymous, url_token, ADA)).status).toBe(403);
    expect(await recipients.codesOf(ADA)).toEqual([]);
  });

  it('stores no address in clear, and opens nothing when the row is damaged (H1)', async () => {
    const email = `${randomUUID()}@example.org`;
    const { url_token } = await owner.client.push({ payload: 'tulip', recipients: [email] });
    await recipients.open(url_token, email, await recipients.codeFor(url_token, email));
    const code = await recipients.codeFor(url_token, email);
    for (const table of [
      'pushes',
      'open_codes',
      'openings',
      'outbox_messages',
      'audit_entries',
      'mail_counts',
    ]) {
      const rows: unknown = await running.dataSource.query(`SELECT * FROM ${table}`);
      expect(inClear(rows)).not.toContain(email);
      expect(inClear(rows)).not.toContain(code);
    }
    await running.query('UPDATE pushes SET recipients = owner_key WHERE user_id = ?', [owner.id]);

    expect((await recipients.open(url_token, email, code)).status).toBe(401);
    expect(await ownList()).toMatchObject({ recipients: [], unreadable: true });
  });

  it('cannot be created where no mail is sent', async () => {
    const without = await forThisTest(startApp());
    const { status, body } = await without.anonymous.post('/api/v2/pushes', {
      push: { payload: 'tulip', recipients: [ADA] },
    });
    const version = await without.anonymous.get('/api/v2/version');

    expect([status, body]).toEqual([422, { recipients: ['are not available'] }]);
    expect(version.body.features.pushes.recipients).toBe(false);
  });
});

/** All texts of rows, also in their bytes. */
function inClear(rows: unknown): string {
  return JSON.stringify(rows, (_key, value: unknown) => {
    const { type, data } = (value ?? {}) as { type?: string; data?: number[] };
    return type === 'Buffer' && data ? Buffer.from(data).toString('latin1') : value;
  });
}
