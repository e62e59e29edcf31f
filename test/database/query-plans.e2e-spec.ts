import { randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { SchedulerRegistry } from '@nestjs/schedule';
import { MailRequestsService } from '../../src/auth/by-mail/mail-requests.service.js';
import { SessionsService } from '../../src/auth/sessions/sessions.service.js';
import { SetupCodes } from '../../src/features/setup/setup-codes.js';
import { TokensService } from '../../src/auth/tokens/tokens.service.js';
import { User } from '../../src/auth/entities/user.entity.js';
import { UsersService } from '../../src/auth/users/users.service.js';
import { FileStore } from '../../src/files/file-store.js';
import { OrphanSweep } from '../../src/files/orphan-sweep.js';
import { UnitOfWork } from '../../src/platform/database/transactions/unit-of-work.js';
import { InstanceAudit } from '../../src/platform/instance-audit/instance-audit.service.js';
import { MailerService } from '../../src/platform/mail/mailer.service.js';
import { MailsService } from '../../src/platform/mail/mails.service.js';
import { OutboxService } from '../../src/platform/outbox/outbox.service.js';
import type { Delivery } from '../../src/platform/outbox/outbox-channels.js';
import { DeliveryError, OutboxChannel } from '../../src/platform/outbox/outbox-channels.js';
import { OutboxSender } from '../../src/platform/outbox/outbox-sender.js';
import { ExpiryService } from '../../src/pushes/expiry/expiry.service.js';
import { CreationsService } from '../../src/pushes/create/creations.service.js';
import { NOTICE_EVENTS, noticeBits } from '../../src/pushes/push/notice-events.js';
import { PushKeyRotation } from '../../src/pushes/key-rotation/push-key-rotation.js';
import { ACTIVE_ORDERS } from '../../src/pushes/push/push.repository.js';
import { PushEvents } from '../../src/pushes/push/push-events.js';
import { Push } from '../../src/pushes/push/push.entity.js';
import { SecondFactorChecks } from '../../src/auth/second-factor/second-factor-checks.js';
import { ImportedAccountsService } from '../../src/auth/import/imported-accounts.service.js';
import { ImportReport } from '../../src/features/passwordpusher/import-run.js';
import { ServiceTarget } from '../../src/features/passwordpusher/import-target.js';
import { importAll } from '../../src/features/passwordpusher/passwordpusher-import.js';
import { Lockbox } from '../../src/features/passwordpusher/source/lockbox.js';
import { SourceDatabase } from '../../src/features/passwordpusher/source/source-database.js';
import { DiskSourceFiles } from '../../src/features/passwordpusher/source/source-files.js';
import { ImportedPushesService } from '../../src/pushes/import/imported-pushes.service.js';
import { AnswersService } from '../../src/features/requests/answers.service.js';
import { UploadRemoval } from '../../src/features/uploads/upload-removal.js';
import { OpenSecretRequestsService } from '../../src/features/requests/open-requests.service.js';
import { FIELDS_AS_SETTINGS } from '../support/account-groups.js';
import { forAllTests } from '../support/for-tests.js';
import { makePasswordPusher } from '../support/passwordpusher.js';
import { RowKeyRotation } from '../../src/platform/sealing/row-key-rotation.js';
import { EmailLinksService } from '../../src/auth/links/email-links.service.js';
import { PendingJoins } from '../../src/features/oidc/pending-joins.js';
import { ProviderAccountsService } from '../../src/features/oidc/provider-accounts.service.js';
import { SignInsService } from '../../src/auth/sign-in/sign-ins.service.js';
import { IdentitiesService } from '../../src/auth/sessions/identities.service.js';
import { Passkey } from '../../src/auth/entities/passkey.entity.js';
import type { PasskeyRequest } from '../../src/auth/second-factor/passkeys.service.js';
import { SoftAuthenticator } from '../support/soft-authenticator.js';
import { newAdministrator, passwordPath } from '../support/administrator.js';
import { addApp, codeOf, freshCode, makeAuthenticationsOld } from '../support/authenticator-app.js';
import { allAtOnce } from '../support/concurrent-calls.js';
import { eventually } from '../support/eventually.js';
import { download, encoded, linksOf } from '../support/files.js';
import { LOOPBACK_ALLOWED, startHookReceiver } from '../support/hook-receiver.js';
import { analyze, fillDatabase, tablesOf } from '../support/fill-database.js';
import { makeInstance } from '../support/instance.js';
import { askForCode, openWith } from '../support/recipients.js';
import { digestOf } from '../../src/platform/random/random.js';
import { OpenCodesService } from '../../src/pushes/recipients/open-codes.service.js';
import { ask, respond, newAnswer } from '../support/requests.js';
import { growingSteps } from '../support/query-plan.js';
import type { Statement } from '../support/recorded-statements.js';
import { recordStatements } from '../support/recorded-statements.js';
import type { RunningApp, TestUser } from '../support/start-app.js';
import { startApp } from '../support/start-app.js';
import { beginUpload, upload } from '../support/tus.js';
import { moduleWith } from '../support/contributions.js';
import { newSignedInUser, PageClient, PASSWORD } from '../support/page-client.js';
import { Settings } from '../../src/platform/settings/settings.js';
import { OidcSettings } from '../../src/features/oidc/oidc.settings.js';
import { DAY_MS, HOUR_MS } from '../../src/platform/settings/units.js';
import { engine } from '../support/engine.js';
import { after, someNewPush, someVisitor } from '../support/new-pushes.js';

/** Statements that may scan or sort all their rows, each with the reason why these do not grow with the database. */
const BOUNDED: [RegExp, string][] = [
  [/FROM .?migrations\b/, 'a row for each release that changed the schema'],
  [/FROM .?setup_steps\b/, 'a row for each of the first steps'],
  [/FROM .?users\b\W+User\W+LIMIT 2$/, 'two accounts at most'],
  [
    /FROM .?users\b.* ORDER BY \S+ DESC LIMIT \d+/,
    'the accounts of one page and of those before it, 10,000 at most',
  ],
  [
    /FROM .?instance_audit_entries\b.* ORDER BY \S+ DESC LIMIT \d+/,
    'the entries of one page and of those before it, 10,000 at most, or the newest 300 of a kind',
  ],
  ...(engine.name === 'sqlite' || engine.name === 'postgres'
    ? []
    : ([
        [
          /FROM .?instance_audit_entries\b.* ORDER BY \S+ ASC LIMIT \d+/,
          'a batch of an export, which begins where the one before ended',
        ],
      ] satisfies [RegExp, string][])),
  ...(engine.name === 'mysql'
    ? ([
        [
          /^UPDATE .?outbox_messages\b.* WHERE .?next_attempt_at.? > \?$/,
          'messages with a time beyond the longest wait: none, unless a clock was ahead',
        ],
      ] satisfies [RegExp, string][])
    : []),
  [/FROM .?account_groups\b(?! .*WHERE)/, 'all groups: 100 at most'],
  [/FROM .?sessions\b.* ORDER BY \S+ DESC/, 'the sessions of one account, 500 at most'],
  [
    /FROM .?requests\b.*open_until\W+> (?:\?|\$\d).* ORDER BY \S+ DESC LIMIT \d+/,
    'the open requests of one account, MAX_OPEN_REQUESTS at most',
  ],
  [
    /FROM .?requests\b.*(?: IN \(|\bid" = \$1).* ORDER BY \S+ DESC(, \S+ DESC)?$/,
    'the requests of one page, found by their ids',
  ],
  [/FROM .?webhooks\b(?! .*WHERE.*user_id)/, 'all webhooks, when one has changed: 50,000 at most'],
  [
    /FROM .?unknown_files\b(?! .*WHERE)/,
    'the stored files that a sweep did not know: 10,000 are remembered at most',
  ],
  [/FROM .?master_keys\b/, 'a row for each master key in use: one, or a few during a rotation'],
];

const SETTINGS = {
  OWNER_VIEWS_COUNT: 'false',
  RETENTION_DAYS: '1',
  FILES_REQUIRE_AUTHENTICATION: 'false',
  UPLOAD_BYTES_PER_DAY: '1000000',
  ENABLE_REQUESTS_API: 'true',
  ANSWERS_PER_MINUTE: '0',
  MAX_OPEN_REQUESTS: '100000',
  ...LOOPBACK_ALLOWED,
};
@OutboxChannel('test')
class TestChannel implements OutboxChannel {
  deliver({ destination }: Delivery): Promise<void> {
    return destination === 'good'
      ? Promise.resolve()
      : Promise.reject(new DeliveryError('DOWN', 'destination'));
  }
}

const key = () => randomBytes(32).toString('base64');
const files = encoded([{ name: 'a.txt', content: 'tulip' }]);

describe('No statement of the app reads or sorts more as the database grows:', () => {
  // before its instance is destroyed
  afterAll(() => running.stop());
  const instance = forAllTests(makeInstance);
  let running: RunningApp;
  let statements: Statement[];

  beforeAll(async () => {
    const oldKey = key();
    const before = await startApp({ ...SETTINGS, MASTER_KEYS: oldKey }, { instance });
    const owner = await before.newUser();
    const { url_token } = await owner.client.push({ payload: 'tulip' });
    const push = await before.dataSource.manager.findOneByOrFail(Push, {});
    const crowd = { count: 300, userId: owner.id, pushId: push.id };
    await fillDatabase(before, crowd);
    await before.stop();

    const env = { ...SETTINGS, MASTER_KEYS: `${key()},${oldKey}` };
    running = await startApp(env, { instance, extensions: [moduleWith(TestChannel)] });
    const stop = await recordStatements(running.app);
    await doEverything(running, { ...owner, client: owner.client.at(running.url) }, url_token);
    statements = stop();
    await fillDatabase(running, { ...crowd, count: 3000 }); // the earlier pushes have been swept and rotated
  }, 120_000);

  it('every kind of access to every table has been recorded', () => {
    const verbs = (table: string) =>
      ['SELECT', 'INSERT', 'UPDATE', 'DELETE'].filter((verb) =>
        statements.some(({ sql }) => new RegExp(`^${verb}\\b.*?\\b${table}\\b`, 'is').test(sql)),
      );
    const covered = tablesOf(running.dataSource).map((table) => `${table}: ${verbs(table).join(' ')}`);

    expect(covered).toEqual([
      'account_groups: SELECT INSERT UPDATE DELETE',
      'administration: SELECT UPDATE',
      'api_tokens: SELECT INSERT UPDATE DELETE',
      'audit_entries: SELECT INSERT UPDATE DELETE',
      'audit_heads: SELECT INSERT UPDATE',
      'audit_sequences: SELECT INSERT UPDATE DELETE',
      'authenticators: SELECT INSERT UPDATE DELETE',
      'daily_usage: SELECT INSERT UPDATE',
      'email_links: SELECT INSERT DELETE',
      'entered_addresses: SELECT INSERT',
      'files: SELECT INSERT UPDATE DELETE',
      'idempotency_keys: SELECT INSERT DELETE',
      'identities: SELECT INSERT UPDATE DELETE',
      'imported_accounts: SELECT INSERT',
      'imported_pushes: SELECT INSERT UPDATE',
      'installation: SELECT UPDATE',
      'instance_audit_entries: SELECT INSERT UPDATE DELETE',
      'known_browsers: SELECT INSERT UPDATE DELETE',
      'known_networks: SELECT INSERT UPDATE DELETE',
      'leases: INSERT UPDATE',
      'link_mails: SELECT INSERT UPDATE',
      'mail_counts: SELECT INSERT UPDATE DELETE',
      'master_keys: SELECT DELETE',
      'open_codes: SELECT INSERT UPDATE DELETE',
      'openings: SELECT INSERT',
      'outbox_messages: SELECT INSERT UPDATE DELETE',
      'passkeys: SELECT INSERT UPDATE DELETE',
      'passphrase_attempts: SELECT INSERT UPDATE DELETE',
      'password_links: SELECT INSERT DELETE',
      'pushes: SELECT INSERT UPDATE DELETE',
      'recovery_codes: SELECT INSERT DELETE',
      'recovery_keys: SELECT INSERT DELETE',
      'request_answers: SELECT INSERT',
      'request_audit_entries: SELECT INSERT',
      'request_passphrase_attempts: SELECT INSERT UPDATE DELETE',
      'requests: SELECT INSERT UPDATE DELETE',
      'sessions: SELECT INSERT UPDATE DELETE',
      'settings_in_force: ',
      'setup_steps: SELECT INSERT',
      'sign_in_attempts: SELECT INSERT DELETE',
      'sign_in_marks: SELECT INSERT UPDATE DELETE',
      'unknown_files: SELECT INSERT DELETE',
      'uploads: SELECT INSERT UPDATE DELETE',
      'users: SELECT INSERT UPDATE DELETE',
      'webhook_changes: SELECT UPDATE',
      'webhooks: SELECT INSERT UPDATE DELETE',
    ]);
  });

  const growing = async () => {
    const found: string[] = [];
    for (const statement of statements.filter(({ sql }) => !BOUNDED.some(([bounded]) => bounded.test(sql)))) {
      const steps = await growingSteps(running.dataSource, statement);
      if (steps.length > 0) found.push(`${steps.join('; ')}\n  in ${statement.sql}`);
    }
    return found;
  };

  it('none scans a table or sorts unbounded rows, with or without table statistics', async () => {
    expect(await growing()).toEqual([]);
    await analyze(running.dataSource);
    expect(await growing()).toEqual([]);
  });

  it.each(BOUNDED)('the exception for %s is necessary', async (bounded) => {
    const excepted = statements.filter(({ sql }) => bounded.test(sql));
    const steps = await Promise.all(excepted.map((statement) => growingSteps(running.dataSource, statement)));

    expect(steps.flat()).not.toEqual([]);
  });
});

/** Makes the app execute all its statements. */
async function doEverything(running: RunningApp, owner: TestUser, crowded: string): Promise<void> {
  await usePushes(running, owner, crowded);
  await useUploads(running, owner);
  await usePages(running, owner);
  await useAdministration(running);
  await useMailsOfAccounts(running);
  await useMailsOfPushes(running, owner);
  await useRecipients(running, owner);
  await useRequests(running, owner);
  await importPasswordPusher(running);
  await sendMessages(running);
  await useSecondFactor(running);
  await useProvider(running);
  await useWebhooks(running);
  await cleanUp(running);
  await running.anonymous.get('/ready');
}

async function usePushes({ anonymous }: RunningApp, { client }: TestUser, crowded: string): Promise<void> {
  const list = [client, anonymous];
  for (const caller of list) {
    for (const kind of ['text', 'url', 'qr']) {
      const payload = 'https://example.org';
      const fields = { kind, payload, deletable_by_viewer: true, expire_after_views: 2 };
      const { url_token } = await caller.push(fields);
      for (const reader of [client, anonymous, anonymous, anonymous]) await reader.retrieve(url_token);
      await anonymous.head(`/api/v2/pushes/${url_token}`);
      await anonymous.get(`/api/v2/pushes/${url_token}/preview`);
      await anonymous.delete(`/api/v2/pushes/${url_token}`);
    }
    const many: string[] = await allAtOnce(
      40,
      async () => (await caller.push({ payload: 'tulip' })).url_token,
    ); // for statements that load several keys together
    await allAtOnce(40, (i) => anonymous.retrieve(many[i] ?? ''));
    const locked = await caller.push({ payload: 'rose', passphrase: 'horse', name: 'a', note: 'b' });
    for (const passphrase of ['cow', 'horse', undefined])
      await anonymous.retrieve(locked.url_token, passphrase);
  }

  for (const views of [1, 5]) {
    const { url_token } = await client.push({ files, expire_after_views: views });
    const links = await linksOf(anonymous, url_token);
    for (const link of [...links, ...links]) await download(anonymous.url + new URL(link).pathname);
    await client.delete(`/api/v2/pushes/${url_token}`);
  }
  await client.push({ files });

  const limited = { payload: 'tulip', expire_after_first_view: 4, allowed_networks: ['127.0.0.1'] };
  const { url_token: shortened } = await client.push(limited);
  for (const expire_after_views of [4, 4]) await client.change(shortened, { expire_after_views });
  await anonymous.retrieve(shortened);
  const elsewhere = await client.push({ payload: 'tulip', allowed_networks: ['192.0.2.1'] });
  await anonymous.retrieve(elsewhere.url_token);

  for (const page of [1, 2, 200]) {
    await client.get(`/api/v2/pushes/active?page=${page}`);
    await client.get(`/api/v2/pushes/expired?page=${page}`);
    await client.get(`/api/v2/pushes/${crowded}/audit?page=${page}`);
    await client.get(`/api/v2/audit?after=${page}&limit=${page}`);
  }
}

async function useUploads({ app, anonymous }: RunningApp, { client }: TestUser): Promise<void> {
  for (const caller of [client, anonymous]) {
    const begun = await beginUpload(caller, 10);
    await begun.part(0, 'tulip');
    await begun.head();
    await begun.end();
    const finished = await upload(caller, 'rose');
    await caller.push({ payload: 'tulip', uploads: [finished.url] });
    await beginUpload(caller, 10);
  }
  await app.get(UploadRemoval).removeEnded(after(new Date(), 2 * DAY_MS));
}

async function useMailsOfPushes({ app, anonymous }: RunningApp, { id, client }: TestUser): Promise<void> {
  const mailed = { notify_emails_to: 'ada@example.org' };
  app.get(Settings).MAIL_URL = { host: '127.0.0.1', port: 25, tls: false };
  app.get(PushEvents).onModuleInit(); // finds that notices are enabled now
  const all = { notify_on: NOTICE_EVENTS, passphrase: 'horse', payload: 'tulip' };
  const { url_token } = await client.push({ ...all, ...mailed });
  await client.push({ ...all, ...mailed, files });
  await client.post(`/api/v2/pushes/${url_token}/notify_emails`, mailed);
  for (const passphrase of ['cow', 'horse']) await anonymous.retrieve(url_token, passphrase);
  const ended = someNewPush({ notifyOn: noticeBits(NOTICE_EVENTS) });
  await app.get(CreationsService).create(ended, someVisitor({ userId: id }), after(new Date(), -8 * DAY_MS));
}

async function useRecipients(running: RunningApp, { client }: TestUser): Promise<void> {
  const { app, anonymous, dataSource } = running;
  const [email, other] = ['ada@example.org', 'bob@example.org'] as const;
  const named = { recipients: [email, other], once_per_recipient: true };
  const { url_token } = await client.push({ files, ...named });
  const { id } = await dataSource.manager.findOneByOrFail(Push, { tokenDigest: digestOf(url_token) });
  const codes = app.get(OpenCodesService);
  const now = new Date();
  const code = (await codes.create(id, { email, askedAt: now }, now)) ?? '';
  await codes.create(id, { email: other, askedAt: after(now, -DAY_MS) }, now);
  await openWith(anonymous, url_token, email, '');
  const { body } = await openWith(anonymous, url_token, email, code);
  await download(anonymous.url + new URL(body.files[0].url as string).pathname);
  await client.get(`/api/v2/pushes/${url_token}/audit`);
  await askForCode(anonymous, url_token, other);
}

async function useRequests(running: RunningApp, { client }: TestUser): Promise<void> {
  const { app, anonymous } = running;
  const asked = {
    passphrase: 'horse',
    answers: 3,
    include_requestor: true,
    notify_emails_to: 'ada@example.org',
  };
  const { url_token } = await ask(client, asked);
  const path = `/api/v2/requests/${url_token}`;
  for (const passphrase of ['cow', 'horse']) {
    const caller = anonymous.with({ 'X-Push-Passphrase': passphrase });
    await caller.get(path);
    for (const response of ['tulip', 'rose']) await respond(caller, url_token, response);
    await caller.post(`${path}/respond`, { request: { files } });
  }
  for (const part of ['', '/preview', '/audit', '/audit?page=200']) await client.get(path + part);
  for (const page of [1, 2, 200])
    for (const state of ['open', 'closed']) await client.get(`/api/v2/requests/${state}?page=${page}`);
  await client.delete(`/api/v2/requests/${(await ask(client)).url_token}`);
  const waiting = await ask(client, { answers: 3 });
  const answers = app.get(AnswersService);
  const found = await app.get(OpenSecretRequestsService).find(waiting.url_token, {}, someVisitor());
  const then = after(new Date(), -2 * HOUR_MS);
  for (let i = 0; i < 2; i++) await answers.answer(found, newAnswer(app), someVisitor(), { now: then }); // a mail about the second is due

  const { pageClient } = await newSignedInUser(running);
  const made = await pageClient.post('/requests', { request: 'Your key, please', answers: '2' });
  const page = made.headers.get('location') ?? '';
  const once = { 'Idempotency-Key': `"${randomBytes(16).toString('hex')}"` };
  for (let i = 0; i < 2; i++)
    await new PageClient(running.url).post(page, { 'push[payload]': 'tulip' }, once);
  for (const path of [page, '/requests']) await pageClient.get(path);
  const token = /\/p\/([\w-]{43})/.exec((await pageClient.get(page)).body)?.[1] ?? '';
  await pageClient.post(`/p/${token}/share`);
  await pageClient.post(`${page}/close`);
}

async function usePages(running: RunningApp, { client, email, token }: TestUser): Promise<void> {
  const { pageClient, email: address } = await newSignedInUser(running);
  await client
    .with({ Authorization: '', 'X-User-Email': email, 'X-User-Token': token })
    .get('/api/v2/pushes/active');
  const lists = ['/pushes', '/pushes?page=2', '/pushes/expired', '/pushes?state=opened'];
  for (const order of ACTIVE_ORDERS) lists.push(`/pushes?order=${order}`);
  for (const path of ['/', ...lists, '/users/edit']) await pageClient.get(path);
  for (let i = 0; i < 26; i++) await pageClient.post('/', { 'push[payload]': 'tulip' }); // more than are searched together
  const { headers } = await pageClient.post('/pushes/search', { q: 'tulip' });
  await pageClient.get(headers.get('location') ?? '');

  const fields = { 'push[payload]': 'tulip', 'push[kind]': 'text' };
  const once = { 'Idempotency-Key': `"${randomBytes(16).toString('hex')}"` };
  await pageClient.post('/', fields, once);
  const made = await pageClient.post('/', fields, once);
  const urlToken = /\/p\/([\w-]{43})/.exec(made.body)?.[1] ?? '';
  const activity = `/p/${urlToken}/audit`;
  for (const path of [`/p/${urlToken}`, activity, `${activity}/download?format=csv`])
    await pageClient.get(path);
  await pageClient.post(`/p/${urlToken}/shorten`, { expire_after_views: '2' });
  await pageClient.post(`/p/${urlToken}`);
  await pageClient.post(`/p/${urlToken}/delete`);

  await pageClient.post('/users/token', { name: 'deploy' });
  await sessionSeenLater(running, address);
  const tokens = await pageClient.get('/users/token');
  await pageClient.post(/\/users\/token\/[\w-]+\/revoke/.exec(tokens.body)?.[0] ?? '');

  const password = 'nine dark quiet forests';
  await pageClient.post('/users/sign_up', { email: 'someone@example.org', password });
  await pageClient.signIn('someone@example.org', 'wrong');
  await pageClient.signIn(address);
  await pageClient.post('/users/edit/email', { email: `new-${address}`, password: PASSWORD });
  await pageClient.post('/users/edit/password', { password: PASSWORD, new_password: password });
  await pageClient.post('/users/notices', { first_view: 'on' });
  await pageClient.post('/users/sign_out');
  await pageClient.signIn(`new-${address}`, password);
  await pageClient.get('/users/sessions');
  await pageClient.post('/users/sessions/unknown/end');
  await pageClient.post('/users/sessions/end_others');
  await pageClient.post('/users/sign_out_everywhere');
  await pageClient.signIn(`new-${address}`, password);
  await pageClient.post('/', { 'push[payload]': 'tulip', 'push[kind]': 'text' });
  await pageClient.post('/users/edit/delete', { password });
}

async function useAdministration(running: RunningApp): Promise<void> {
  const { app, url } = running;
  const audit = app.get(InstanceAudit);
  for await (const { length } of audit.batches({ until: new Date() })) expect(length).toBeGreaterThan(0);
  await audit.logCommands();
  await audit.deleteOld();
  const visitor = new PageClient(url);
  await visitor.get('/setup');
  const code = (await app.get(SetupCodes).current()) ?? '';
  await visitor.post('/setup', { code, email: 'first@example.org', password: PASSWORD });

  const { pageClient } = await newAdministrator(running);
  const email = 'invited@example.org';
  await pageClient.post('/admin/first_steps/backup', {});
  for (const path of [
    '/admin/first_steps',
    '/admin/accounts',
    '/admin/accounts?page=200',
    '/admin/accounts?only=administrators',
    '/admin/accounts?only=without_second_factor',
    '/admin/accounts?only=disabled',
    '/admin/audit',
    '/admin/audit?kind=signed_in',
  ])
    await pageClient.get(path);
  await pageClient.post('/admin/accounts', { email });
  const { headers } = await pageClient.post('/admin/accounts/find', { find: email });
  const account = headers.get('location') ?? '';
  const act = (name: string) => pageClient.post(`${account}/${name}`, { password: PASSWORD });
  const link = passwordPath((await act('password_link')).body);
  await visitor.get(link);
  await visitor.post(link, { new_password: PASSWORD, new_password_repeat: PASSWORD });
  await useGroups(pageClient, account);
  for (const name of ['disable', 'enable', 'promote', 'demote', 'delete']) await act(name);
}

/** Also by an account in a group, which creates something. */
async function useGroups(pageClient: PageClient, account: string): Promise<void> {
  const post = (path: string, fields: Record<string, string>) =>
    pageClient.post(path, { password: PASSWORD, ...fields });
  const { headers } = await post('/admin/groups', { name: 'Guests', ...FIELDS_AS_SETTINGS });
  const [group = ''] = (headers.get('location') ?? '').split('?');
  const own = { group: group.split('/').at(-1) ?? '' };
  await pageClient.get('/admin/groups');
  await pageClient.get(group);
  await post(group, { name: 'Contractors', ...FIELDS_AS_SETTINGS });
  await post(`${account}/group`, own);
  await pageClient.get(account);
  await pageClient.get('/');
  await post(`${group}/delete`, {});
}

/** As with MAIL_URL, with which other pages would be missing. */
async function useMailsOfAccounts({ app, url, dataSource }: RunningApp): Promise<void> {
  const tokens: string[] = [];
  const mailer = app.get(MailerService);
  jest.spyOn(mailer, 'isEnabled', 'get').mockReturnValue(true);
  jest.spyOn(mailer, 'deliver').mockImplementation(async (delivery) => {
    const mail = await app.get(MailsService).compose(delivery);
    tokens.push(/[\w-]{43}/.exec(JSON.stringify(mail?.parts))?.[0] ?? '');
  });
  const by = { ip: '2001:db8::1', language: 'en' } as const;
  const [requests, links] = [app.get(MailRequestsService), app.get(EmailLinksService)];
  const { id } = await newSignedInUser({ app, url } as RunningApp);
  const user = await dataSource.manager.findOneByOrFail(User, { id });
  await requests.newPassword(user.email, by);
  await requests.signUp('mailed@example.org', by);
  await eventually(() => tokens.length === 2);
  await links.signUp(tokens.at(-1) ?? '', PASSWORD, '');
  await requests.email(user, 'changed@example.org', by);
  await eventually(() => tokens.length === 3);
  await links.use(user, tokens.at(-1) ?? '', 'en');
  const later = after(new Date(), 2 * HOUR_MS);
  await requests.newPassword('changed@example.org', { ...by, now: later });
}

async function useSecondFactor({ url, app, dataSource }: RunningApp): Promise<void> {
  const running = { url, app, dataSource } as RunningApp;
  const owner = await newSignedInUser(running);
  const { secret, recoveryCodes } = await addApp(owner.pageClient);
  for (const code of [await codeOf(secret, 1), recoveryCodes[0] ?? '']) {
    await owner.pageClient.signIn(owner.email);
    await owner.pageClient.post('/users/sign_in/second_factor', { code });
  }
  await owner.pageClient.post('/users/second_factor/recovery_codes');
  const authenticator = new SoftAuthenticator(url);
  const ask = async (path: string) =>
    (await owner.pageClient.get(path)).body as never as PasskeyRequest<never>;
  const added = await ask('/users/second_factor/passkey/new');
  const passkey = authenticator.create(added.options);
  await owner.pageClient.post('/users/second_factor/passkeys', {
    passkey,
    passkey_state: added.state,
    name: '',
  });
  const asked = await ask('/users/sign_in/passkey');
  const answer = { passkey: authenticator.get(asked.options), passkey_state: asked.state };
  await owner.pageClient.post('/users/sign_in/passkey', answer);
  const { id } = await dataSource.manager.findOneByOrFail(Passkey, { userId: owner.id });
  await owner.pageClient.post(`/users/second_factor/passkeys/${id}/remove`);
  await makeAuthenticationsOld(running, owner);
  const { body } = await owner.pageClient.get('/users/second_factor');
  if (!body.includes('name="code"')) throw new Error('no reauthentication is asked for');
  const code = await freshCode(running, owner, secret);
  await owner.pageClient.post('/users/second_factor/authenticator/remove', { code });
}

async function useWebhooks(running: RunningApp): Promise<void> {
  const receiver = await startHookReceiver();
  receiver.answer = (_request, response) => response.writeHead(500).end();
  const { id, pageClient } = await newSignedInUser(running);
  await pageClient.post('/users/webhooks', { url: receiver.url, 'push.created': 'on', 'push.expired': 'on' });
  const { body } = await pageClient.get('/users/webhooks');
  const [, path = ''] = /"(\/users\/webhooks\/[\w-]+)\/secret"/.exec(body) ?? [];
  const [, from = ''] = /name="from" value="(\w+)"/.exec(body) ?? [];
  await pageClient.post(`${path}/secret`, { from });
  await pageClient.post('/', { 'push[payload]': 'tulip', 'push[kind]': 'text' });
  await pageClient.post(`${path}/test`);
  await eventually(() => receiver.received.length > 0);
  const push = await running.dataSource.manager.findOneByOrFail(Push, { userId: id });
  await running.app
    .get(UnitOfWork)
    .run((manager) => manager.update(Push, { id: push.id }, { expiresAt: new Date(0) }));
  await running.app.get(ExpiryService).expireOverdue();
  await pageClient.post(`${path}/enable`);
  await pageClient.post(`${path}/delete`);
  await running.app.get(RowKeyRotation).rotate();
  await receiver.stop();
}

async function sendMessages({ app }: RunningApp): Promise<void> {
  const message = { channel: 'test', kind: 'greeting', userId: null, values: {} };
  await app.get(UnitOfWork).write((tx) => {
    for (const destination of ['good', 'bad'])
      app.get(OutboxService).add(tx, { ...message, destination }, new Date());
  });
  await app.get(OutboxSender).sendDue();
}

/** Twice, so that the second time there is nothing to add, and then what was used there since. */
async function importPasswordPusher({ app, dataSource }: RunningApp): Promise<void> {
  const files = await makePasswordPusher();
  const { key, old_key } = files.expected;
  const target = new ServiceTarget(
    dataSource,
    app.get(ImportedAccountsService),
    app.get(ImportedPushesService),
  );
  for (let round = 0; round < 3; round++) {
    const source = await SourceDatabase.open(files.url, false);
    const run = {
      source,
      files: await DiskSourceFiles.of(files.storage),
      keys: new Lockbox([key, old_key].map((hex) => Buffer.from(hex, 'hex'))),
      target,
      options: {
        secretKeyBase: Buffer.from('secret-key-base'),
        joinedAddresses: new Set<string>(),
        now: new Date(),
      },
      report: new ImportReport(() => undefined),
    };
    await importAll(run, () => undefined);
    await source.close();
    if (round === 1)
      await files.query(
        `INSERT INTO audit_logs (created_at, updated_at, kind, push_id) VALUES (datetime('now'), datetime('now'), 1, 1)`,
      );
  }
  const [alice] = files.expected.users;
  const user = await dataSource.manager.findOneByOrFail(User, { email: alice?.email ?? '' });
  await app.get(SecondFactorChecks).verify(user, alice?.backup_codes[0] ?? '', '');
  await files.destroy();
}

/** Without a provider: what comes after its response. */
async function useProvider({ app }: RunningApp): Promise<void> {
  const accounts = app.get(ProviderAccountsService);
  const issuer = 'https://id.example.org';
  const person = { issuer, subject: '1', email: `${randomUUID()}@example.org`, groups: [], session: 'one' };
  const signIn = async () => {
    const { user, signIn: at } = await accounts.accountOf(person, 'en');
    await app.get(SignInsService).begin(user, { cookie: '', language: 'en', provider: at });
  };
  await signIn();
  person.email = `new-${person.email}`;
  await signIn();
  app.get(OidcSettings).OIDC_ALLOWED_DOMAINS = ['example.com'];
  await expect(accounts.accountOf(person, 'en')).rejects.toThrow();
  app.get(OidcSettings).OIDC_ALLOWED_DOMAINS = [];
  const issuedAt = new Date();
  const identities = app.get(IdentitiesService);
  await identities.endSessions({ id: 'a', issuer, subject: '1', session: 'one', issuedAt });
  await identities.endSessions({ id: 'b', issuer, subject: '1', issuedAt });
  await identities.endSessions({ id: 'c', issuer, session: 'one', issuedAt });

  const { user } = await app.get(UsersService).create({ email: 'before@example.org', emailUnverified: true });
  const join = await accounts.accountOf({ ...person, subject: '2', email: user.email }, 'en');
  const { token } = await app.get(EmailLinksService).createFor(user, user.email);
  const owner = await app.get(PendingJoins).proveByLink(user, token);
  await app.get(SignInsService).begin(owner, { cookie: '', language: 'en', provider: join.signIn });
}

/** The use of a session or a token is recorded only after a while. */
async function sessionSeenLater({ app }: RunningApp, email: string): Promise<void> {
  const user = await app.get(UsersService).findByEmail(email);
  if (!user) throw new Error(`${email} has no account`);
  const sessions = app.get(SessionsService);
  await sessions.authenticate(await app.get(SignInsService).begin(user), after(new Date(), HOUR_MS));
  const token = await app.get(TokensService).create(user, { name: 'new' });
  await app.get(TokensService).authenticate(token);
}

async function cleanUp({ app }: RunningApp): Promise<void> {
  const expiry = app.get(ExpiryService);
  await Promise.all([expiry.expireOverdue(), expiry.expireOverdue()]); // at the same time, so that each finds rows that the other has changed
  for (const job of app.get(SchedulerRegistry).getCronJobs().values()) await job.fireOnTick();
  await app.get(PushKeyRotation).rotate();
  await sweepFiles(app);
}

/** Finds a file that has no row, and forgets it when it is gone. */
async function sweepFiles(app: RunningApp['app']): Promise<void> {
  const store = app.get(FileStore);
  const orphan = '0'.repeat(48);
  await store.put(orphan, Readable.from(['tulip']));
  await app.get(OrphanSweep).sweep(after(new Date(), 2 * HOUR_MS));
  await store.remove(orphan);
  await app.get(OrphanSweep).sweep(after(new Date(), 3 * HOUR_MS));
}
