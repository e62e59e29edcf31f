import { randomBytes, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { forAllTests } from '../support/for-tests.js';
import { LOOPBACK_ALLOWED, startHookReceiver } from '../support/hook-receiver.js';
import { eventually } from '../support/eventually.js';
import { startMailServer } from '../support/mail-server.js';
import { command, newApiToken } from '../support/command.js';
import { connectBeside } from '../support/other-connection.js';
import { PageClient, PASSWORD } from '../support/page-client.js';
import { makeInstance } from '../support/instance.js';
import { spawnServer } from '../support/spawn-server.js';

/** Text that cannot occur by chance, with characters that change in encodings. */
const secretText = () => `ü ${randomBytes(12).toString('hex')}+/`;

describe('Data that a server leaves behind', () => {
  const instance = forAllTests(makeInstance);
  const mailServer = forAllTests(() =>
    startMailServer({
      onConnect: (_session, done) => {
        done(new Error('later')); // mails stay in the outbox
      },
    }),
  );
  const receiver = forAllTests(startHookReceiver);
  const server = forAllTests(() =>
    spawnServer(instance, { LOG_LEVEL: 'debug', ...mailServer.env, ...LOOPBACK_ALLOWED }),
  );
  const secrets: string[] = [];
  const secret = (text = secretText()) => {
    secrets.push(text);
    return text;
  };

  beforeAll(async () => {
    receiver.answer = (_request, response) => response.writeHead(500).end(); // messages stay in the outbox
    await useEverything();
  });

  it('has no secret in the log (H1)', () => {
    const found = leaked(secrets, Buffer.from(server.output()));

    expect(server.output()).toContain('"msg":"request"');
    expect(found).toEqual([]);
  });

  it('has no secret in the rows of the database (H2)', async () => {
    const { rows, found } = await searchTables();

    expect(rows).toBeGreaterThan(10);
    expect(found).toEqual([]);
  });

  it('has no secret in files, including the write-ahead log (H2)', async () => {
    const names = await readdir(instance.dataDir);
    const files = await Promise.all(names.map((name) => readFile(join(instance.dataDir, name))));

    expect(names).toContain('master.key');
    expect(files.flatMap((content) => leaked(secrets, content))).toEqual([]);
  });

  it('is searched by a method that finds every encoding of a secret', () => {
    const [first = ''] = secrets;

    for (const form of forms(first)) expect(leaked(secrets, Buffer.from(`a ${form} b`))).toEqual([first]);
  });

  async function useEverything(): Promise<void> {
    const token = secret(await newApiToken(instance));
    const owner = server.anonymous.with({ Authorization: `Bearer ${token}` });
    for (const client of [owner, server.anonymous]) {
      await usePush(client, { payload: secret() });
      await usePush(client, { kind: 'url', payload: secret(`https://example.org/${randomUUID()}`) });
      await usePush(client, { kind: 'qr', payload: secret(), name: secret(), note: secret() });
      await usePush(client, { payload: secret(), name: secret(), passphrase: secret() });
    }
    await owner.get('/api/v2/pushes/active');
    await owner.get('/api/v2/pushes/expired');
    await useMails(owner);
    await usePages();
    await sendRubbish();
  }

  async function usePages(): Promise<void> {
    const pages = new PageClient(server.anonymous.url);
    const email = `${randomUUID()}@example.org`;
    await command(instance, ['user:create', email, '--password-stdin'], { input: PASSWORD });
    await pages.signIn(email);
    await addWebhook(pages);
    for (const path of ['/users/password', '/users/sign_up_link']) {
      await pages.post(path, { email });
      await pages.post(path, { email: secret(`${randomUUID()}@example.org`) });
    }
    const { headers } = await pages.post('/pushes/search', { q: secret() });
    const list = headers.get('location') ?? '';
    expect(list).toMatch(/^\/pushes\?search=/);
    expect((await pages.get(list)).status).toBe(200);
  }

  async function addWebhook(pages: PageClient): Promise<void> {
    const url = `${receiver.url}/${secret(randomUUID())}`;
    const { body } = await pages.post('/users/webhooks', { url, 'push.created': 'on' });
    secret(/whsec_([\w+/=]{40,})/.exec(body)?.[1] ?? '');
    await pages.post('/', { 'push[payload]': secret(), 'push[name]': secret(), 'push[kind]': 'text' });
    await eventually(() => receiver.received.length > 0);
  }

  async function usePush(client: typeof server.anonymous, fields: any): Promise<void> {
    const { url_token } = await client.push({ ...fields, expire_after_views: 3 });
    const path = `/api/v2/pushes/${secret(url_token)}`;
    const referring = client.with({ Referer: `https://example.org/p/${url_token}/r?passphrase=x` });
    const wrong = encodeURIComponent(secret());
    await referring.get(`${path}?passphrase=${wrong}`);
    await client.with({ 'X-Push-Passphrase': wrong }).get(path);
    await referring.retrieve(url_token, fields.passphrase ?? secret());
    const header = encodeURIComponent(fields.passphrase ?? secret());
    await client.with({ 'X-Push-Passphrase': header }).get(path);
    await client.head(path);
    await client.get(`${path}/preview`);
    await client.get(`${path}/audit`);
    await referring.delete(path);
    await referring.get(`${path}.json?passphrase=${wrong}`);
    await client.get(`${path}/nothing`);
    await client.get(`/p/${url_token}/${secret()}`);
  }

  async function useMails(owner: typeof server.anonymous): Promise<void> {
    const address = () => secret(`${randomUUID()}@example.org`);
    const { url_token } = await owner.push({
      payload: secret(),
      name: secret(),
      passphrase: secret(),
      notify_emails_to: address(),
      notify_on: ['each_view', 'failed_passphrase'],
    });
    const path = `/api/v2/pushes/${secret(url_token)}`;
    await owner.post(`${path}/notify_emails`, { notify_emails_to: address() });
    await owner.post(`${path}/notify_emails`, { notify_emails_to: `${address()},${secret()}` });
    await server.anonymous.retrieve(url_token, secret());
  }

  /** Secrets in rejected requests must not be stored or logged either. */
  async function sendRubbish(): Promise<void> {
    const { anonymous } = server;
    await anonymous.with({ Authorization: `Bearer ${secret(randomUUID())}` }).get('/api/v2/pushes/active');
    await anonymous.get(`/api/v2/pushes/active?access_token=${secret(randomUUID())}`);
    await anonymous.get(`/api/v2/pushes/${secret(randomUUID())}?passphrase=${secret(randomUUID())}`);
    await anonymous.get(`/api/v2/pushes/%zz${secret(randomUUID())}`);
    await anonymous.post('/api/v2/pushes', `{"push": {"payload": "${secret()}"`);
    await anonymous.post('/api/v2/pushes', { push: { payload: [secret()], kind: secret() } });
    await anonymous.post('/api/v2/pushes', { push: { payload: secret(), expire_after_days: secret() } });
    await anonymous.post('/api/v2/pushes', new URLSearchParams({ 'push[payload]': ' ', x: secret() }));
    await anonymous.with({ 'X-Push-Passphrase': `%zz${secret(randomUUID())}` }).get('/api/v2/pushes/x');
  }

  async function searchTables(): Promise<{ rows: number; found: string[] }> {
    const other = await connectBeside(instance);
    const found: string[] = [];
    let count = 0;
    for (const table of TABLES) {
      for (const row of await other.query(`SELECT * FROM ${table}`)) {
        count += 1;
        for (const value of Object.values(row as Record<string, unknown>))
          found.push(...leaked(secrets, bytesOf(value)));
      }
    }
    await other.close();
    return { rows: count, found };
  }
});

const TABLES = [
  'audit_heads',
  'audit_sequences',
  'email_links',
  'leases',
  'mail_counts',
  'master_keys',
  'password_links',
  'sessions',
  'webhooks',
  'users',
  'api_tokens',
  'pushes',
  'passphrase_attempts',
  'open_codes',
  'openings',
  'idempotency_keys',
  'daily_usage',
  'outbox_messages',
  'audit_entries',
  'migrations',
];

function bytesOf(value: unknown): Buffer {
  return Buffer.isBuffer(value) ? value : Buffer.from(String(value));
}

/** The secrets that occur in any encoding. */
function leaked(secrets: string[], where: Buffer): string[] {
  return secrets.filter((text) => forms(text).some((form) => where.includes(form)));
}

/** Plain, percent-encoded, as a form field, in JSON, in hex, and in base64 at any offset. */
function forms(text: string): string[] {
  const bytes = Buffer.from(text);
  const base64 = [0, 1, 2].flatMap((shift) => {
    const inner = Buffer.concat([Buffer.alloc(shift), bytes]);
    return (['base64', 'base64url'] as const).map((encoding) => inner.toString(encoding).slice(4, -4));
  });
  return [
    text,
    encodeURIComponent(text),
    new URLSearchParams({ '': text }).toString().slice(1),
    JSON.stringify(text).slice(1, -1),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    ...base64,
  ];
}
