import { randomBytes } from 'node:crypto';
import { FileStore } from '../../src/files/file-store.js';
import { Jobs } from '../../src/platform/scheduling/jobs.js';
import { Push } from '../../src/pushes/push/push.entity.js';
import { auditKinds } from '../support/audit-kinds.js';
import { allAtOnce } from '../support/concurrent-calls.js';
import { forAllTests, forEachTest } from '../support/for-tests.js';
import { startApp } from '../support/start-app.js';
import { newSignedInUser, PageClient, tokenIn } from '../support/page-client.js';
import { MINUTE_MS } from '../../src/platform/settings/units.js';
import { after } from '../support/new-pushes.js';

const newKey = () => randomBytes(16).toString('hex');
const withKey = (key: string) => ({ 'Idempotency-Key': `"${key}"` });
const FORM = { 'push[payload]': 'correct horse', 'push[kind]': 'text' };

describe('The form with an idempotency key', () => {
  const running = forAllTests(startApp);
  const pageClient = forEachTest(() => new PageClient(running.url));

  const count = () => running.dataSource.manager.count(Push);
  const submit = (key: string, by = pageClient, form: typeof FORM | FormData = FORM) =>
    by.post('/', form, withKey(key));

  it('creates one push when it is sent again, and responds with the page of the first', async () => {
    const key = newKey();
    const before = await count();
    const first = await submit(key);
    const second = await submit(key);

    expect([first.status, second.status]).toEqual([201, 201]);
    expect(tokenIn(second.body)).toBe(tokenIn(first.body));
    expect(second.body).toBe(first.body);
    expect(await count()).toBe(before + 1);
  });

  it('creates one push when it is sent many times concurrently', async () => {
    const key = newKey();
    const before = await count();
    const answers = await allAtOnce(20, () => submit(key));

    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201));
    expect(new Set(answers.map(({ body }) => tokenIn(body))).size).toBe(1);
    expect(await count()).toBe(before + 1);
  });

  it('does not affect concurrent submissions with other keys', async () => {
    const key = newKey();
    const before = await count();
    const answers = await allAtOnce(30, (i) => submit(i % 3 === 0 ? key : newKey()));

    expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(201));
    expect(await count()).toBe(before + 21);
  });

  it('audits one creation', async () => {
    const { pageClient: member } = await newSignedInUser(running);
    const key = newKey();
    await submit(key, member);
    await submit(key, member);

    const [row] = await running.dataSource.query(
      "SELECT COUNT(*) AS count FROM audit_entries WHERE kind = 'creation' AND push_id = (SELECT MAX(id) FROM pushes)",
    );
    expect(Number(row.count)).toBe(1);
  });

  it('creates no second push for another account or for none, and does not show that of an account', async () => {
    const [one, other] = [await newSignedInUser(running), await newSignedInUser(running)];
    const key = newKey();
    const before = await count();
    const first = tokenIn((await submit(key, one.pageClient)).body);
    for (const client of [pageClient, other.pageClient]) {
      const { status, body } = await submit(key, client);

      expect(status).toBe(409);
      expect(body).toContain('This form has already created a link in another account');
      expect(body).not.toContain(first);
    }
    expect(tokenIn((await submit(key, one.pageClient)).body)).toBe(first);
    expect(await count()).toBe(before + 1);
  });

  it('responds with the push that it created without an account to a sender who has signed in since', async () => {
    const { pageClient: member } = await newSignedInUser(running);
    const key = newKey();
    const before = await count();
    const first = tokenIn((await submit(key)).body);
    const { status, body } = await submit(key, member);

    expect([status, tokenIn(body)]).toEqual([201, first]);
    expect(body).toContain(`/p/${first}/delete#`);
    expect(body).not.toContain(`/p/${first}/audit`);
    expect(await count()).toBe(before + 1);
  });

  it('looks for its push before it asks which account to use', async () => {
    const { pageClient: member } = await newSignedInUser(running);
    const [, account = ''] =
      /name="push\[account\]" value="([^"]*)"/.exec((await member.get('/')).body) ?? [];
    const [key, form] = [newKey(), { ...FORM, 'push[account]': account }];
    await submit(key, member, form);
    const { status, body } = await pageClient.post('/', form, {
      ...withKey(key),
      Accept: 'application/json',
    });

    expect(status).toBe(409);
    expect(body).toEqual({ errors: { form: expect.stringContaining('already created a link') } });
  });

  it('stores only the files of the first submission', async () => {
    const { pageClient: member } = await newSignedInUser(running);
    const stored = async () => {
      const keys: string[] = [];
      for await (const { key } of running.app.get(FileStore).list()) keys.push(key);
      return keys.length;
    };
    const withFile = () => {
      const form = new FormData();
      form.set('push[kind]', 'file');
      form.append('push[files][]', new Blob(['minutes']), 'a.txt');
      return form;
    };
    const before = await stored();
    const key = newKey();
    await submit(key, member, withFile());
    const { body } = await submit(key, member, withFile());
    await allAtOnce(5, () => submit(key, member, withFile()));

    expect(await stored()).toBe(before + 1);
    const { body: push } = await running.anonymous.retrieve(tokenIn(body));
    expect(push.files).toMatchObject([{ filename: 'a.txt' }]);

    await member.post(`/p/${tokenIn(body)}/delete`);
    expect((await submit(key, member, withFile())).status).toBe(410);
    expect(await stored()).toBe(before);
  });

  it('reports that its push has ended, and creates no second one', async () => {
    const key = newKey();
    const form = { ...FORM, 'push[expire_after_views]': '1' };
    const { body } = await submit(key, pageClient, form);
    await running.anonymous.retrieve(tokenIn(body));
    const before = await count();
    const again = await submit(key, pageClient, form);

    expect(again.status).toBe(410);
    expect(again.body).toContain('The secret created with this form has expired. No new one was created.');
    expect(await count()).toBe(before);
  });

  it('stores only a hash of the key', async () => {
    const key = newKey();
    await submit(key);
    const rows = JSON.stringify(await running.dataSource.query('SELECT * FROM idempotency_keys'));

    expect(rows).not.toContain(key);
    expect(rows).toMatch(/[0-9a-f]{64}/);
  });

  it('can be corrected and sent with the same key after an error', async () => {
    const key = newKey();
    const refused = await submit(key, pageClient, { ...FORM, 'push[kind]': 'url' });

    expect(refused.status).toBe(422);
    expect((await submit(key)).status).toBe(201);
  });

  it('forgets the key after ten minutes, but keeps the push', async () => {
    const key = newKey();
    const jobs = running.app.get(Jobs);
    const first = await submit(key);
    await jobs.run('idempotency keys', after(new Date(), 9 * MINUTE_MS));
    const second = await submit(key);
    await jobs.run('idempotency keys', after(new Date(), 11 * MINUTE_MS));
    const third = await submit(key);

    expect(tokenIn(second.body)).toBe(tokenIn(first.body));
    expect(third.status).toBe(201);
    expect(tokenIn(third.body)).not.toBe(tokenIn(first.body));
    expect((await running.anonymous.retrieve(tokenIn(first.body))).body.payload).toBe('correct horse');
  });

  it.each(['', 'short', `"${'x'.repeat(65)}"`, '"with spaces in it, and many more"', 'a'.repeat(32)])(
    'is rejected with a key of %j',
    async (header) => {
      const before = await count();
      const { status, body } = await pageClient.post('/', FORM, { 'Idempotency-Key': header });

      expect(status).toBe(400);
      expect(body).toContain('The form could not be read.');
      expect(await count()).toBe(before);
    },
  );

  it('has no effect in the API, which creates a push each time', async () => {
    const { client } = await running.newUser();
    const headers = withKey(newKey());
    const made = [];
    for (let i = 0; i < 2; i++)
      made.push(await client.with(headers).post('/api/v2/pushes', { push: { payload: 'tulip' } }));

    expect(made.map(({ status }) => status)).toEqual([201, 201]);
    expect(made[0]?.body.url_token).not.toBe(made[1]?.body.url_token);
    expect(await auditKinds(client, made[1]?.body.url_token)).toEqual(['creation']);
  });
});
