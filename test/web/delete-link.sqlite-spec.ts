import { randomBytes } from 'node:crypto';
import { AuditEntry } from '../../src/audit/audit-entry.entity.js';
import { digestOf } from '../../src/platform/random/random.js';
import { Push } from '../../src/pushes/push/push.entity.js';
import { forAllTests, forEachTest, forThisTest } from '../support/for-tests.js';
import { startApp } from '../support/start-app.js';
import { newSignedInUser, PageClient, tokenIn, withoutOwnPath } from '../support/page-client.js';
import { replaceKey } from '../support/replaced-key.js';

const FORM = { 'push[payload]': 'correct horse', 'push[kind]': 'text' };
const REFUSAL = 'Only the owner can delete this secret.';

const keyIn = (body: string) => /\/p\/[\w-]{43}\/delete#([\w-]{43})"/.exec(body)?.[1];
const once = () => ({ 'Idempotency-Key': `"${randomBytes(16).toString('hex')}"` });

async function send(by: PageClient, fields: Record<string, string> = {}, headers = {}) {
  const { body } = await by.post('/', { ...FORM, ...fields }, headers);
  return { body, token: tokenIn(body), key: keyIn(body) };
}

describe('The delete link of a push that was sent without an account', () => {
  const running = forAllTests(startApp);
  const sender = forEachTest(() => new PageClient(running.url));

  const remove = (token: string, key?: string, by = new PageClient(running.url)) =>
    by.post(`/p/${token}/delete`, key === undefined ? {} : { delete_key: key });
  const isActive = async (token: string) => !(await running.anonymous.retrieve(token)).body.expired;

  it.each<Record<string, string>>([{}, once()])('deletes it, once, with %j', async (headers) => {
    const { token, key } = await send(sender, {}, headers);
    const { status, body } = await remove(token, key);

    expect(status).toBe(200);
    expect(body).toContain('Secret deleted');
    expect((await running.anonymous.retrieve(token)).body).toMatchObject({
      expired: true,
      deleted: true,
      payload: null,
    });
    expect((await remove(token, key)).status).toBe(404);
  });

  it('is shown again when the form is sent again, and is another one for each push', async () => {
    const headers = once();
    const first = await send(sender, {}, headers);
    const second = await send(sender, {}, headers);
    const other = await send(sender, {}, once());

    expect(second.key).toBe(first.key);
    expect(other.key).not.toBe(first.key);
    expect((await remove(first.token, second.key)).status).toBe(200);
  });

  it('is audited like any deletion', async () => {
    const { token, key } = await send(sender);
    await remove(token, key);
    const { manager } = running.dataSource;
    const { id } = await manager.findOneByOrFail(Push, { tokenDigest: digestOf(token) });
    const entries = await manager.find(AuditEntry, { where: { pushId: id }, order: { id: 'ASC' } });

    expect(entries.map(({ kind }) => kind)).toEqual(['creation', 'expire']);
  });

  it('works after a view and with a passphrase, which it does not need', async () => {
    const { token, key } = await send(sender, { 'push[passphrase]': 'horse' });
    await running.anonymous.retrieve(token, 'horse');

    expect((await remove(token, key)).status).toBe(200);
  });

  it('tells its sender whether it had been opened, and nobody else', async () => {
    const [unopened, opened] = [await send(sender), await send(sender)];
    const { url_token } = await running.anonymous.push({ payload: 'tulip', deletable_by_viewer: true });
    for (const token of [opened.token, url_token]) await running.anonymous.retrieve(token);
    const told = async (token: string, key?: string) =>
      /Nobody had opened it|It had been opened before/.exec((await remove(token, key)).body)?.[0];

    expect(await told(unopened.token, unopened.key)).toBe('Nobody had opened it');
    expect(await told(opened.token, opened.key)).toBe('It had been opened before');
    expect(await told(url_token)).toBeUndefined();
  });

  it('does not exist for members, who need none, and for pushes of the API', async () => {
    const { pageClient } = await newSignedInUser(running);
    expect((await send(pageClient)).key).toBeUndefined();
    expect((await send(pageClient, {}, once())).key).toBeUndefined();

    const { url_token, ...others } = await running.anonymous.push({ payload: 'tulip' });
    expect(Object.keys(others).filter((name) => /delete_/.test(name))).toEqual([]);
    expect((await remove(url_token, (await send(sender)).key)).status).toBe(403);
    expect(await isActive(url_token)).toBe(true);
  });

  it.each([
    ['no key', undefined],
    ['an empty key', ''],
    ['a random key', randomBytes(32).toString('base64url')],
    ['a short key', 'x'],
    ['a long key', 'x'.repeat(5000)],
    ['a key of other characters', 'ö'.repeat(43)],
    ['a key with a NUL', 'a'.repeat(42) + '\0'],
  ])('with %s is rejected like a visitor without a right to delete', async (_what, wrong) => {
    const { token } = await send(sender);
    const { url_token: withoutKey } = await running.anonymous.push({ payload: 'tulip' });
    const answers = [await remove(token, wrong), await remove(withoutKey, wrong)];
    const { pageClient } = await newSignedInUser(running);
    answers.push(await remove(token, wrong, pageClient));

    for (const { status, body } of answers) {
      expect(status).toBe(403);
      expect(body).toContain(REFUSAL);
    }
    expect(answers[0]?.body).toBe(answers[1]?.body);
    expect(await isActive(token)).toBe(true);
  });

  it('with the key of another push, or with a field sent twice, is rejected', async () => {
    const [one, other] = [await send(sender), await send(sender)];
    const twice = new URLSearchParams([
      ['delete_key[]', one.key ?? ''],
      ['delete_key[]', one.key ?? ''],
    ]);
    const answer = await fetch(`${running.url}/p/${one.token}/delete`, {
      method: 'POST',
      body: twice,
      headers: { 'Sec-Fetch-Site': 'same-origin' },
    });

    expect(answer.status).toBe(403);
    expect((await remove(one.token, other.key)).status).toBe(403);
    expect(await isActive(one.token)).toBe(true);
  });

  it('leads to a page that changes nothing, and is the same for every push', async () => {
    const { token } = await send(sender);
    const { url_token: withoutKey } = await running.anonymous.push({ payload: 'tulip' });
    const pages = [await sender.get(`/p/${token}/delete`), await sender.get(`/p/${withoutKey}/delete`)];

    expect(pages.map(({ status }) => status)).toEqual([200, 200]);
    expect(pages[0]?.body.replaceAll(token, '')).toBe(pages[1]?.body.replaceAll(withoutKey, ''));
    expect(pages[0]?.body).toContain('name="delete_key"');
    expect(await isActive(token)).toBe(true);
    expect((await running.anonymous.retrieve(token)).body.views_remaining).toBe(3);
  });

  it('leads to the page of an ended push when it has ended', async () => {
    const { token, key } = await send(sender, { 'push[expire_after_views]': '1' });
    await running.anonymous.retrieve(token);
    const never = await sender.get(`/p/${'a'.repeat(43)}/delete`);

    const ended = await sender.get(`/p/${token}/delete`);
    expect(withoutOwnPath(ended.body)).toBe(withoutOwnPath(never.body));
    expect((await remove(token, key)).status).toBe(404);
    expect(never.status).toBe(404);
  });

  it('is nowhere in the database', async () => {
    const { token, key = '' } = await send(sender, {}, once());
    const rows = JSON.stringify(await running.dataSource.manager.find(Push));

    expect(key).not.toBe('');
    expect(rows).not.toContain(key);
    expect(rows).not.toContain(token);
  });
});

describe('The delete link of a push', () => {
  it('outlives the master key that was current when it was shown (J2)', async () => {
    const { made, later } = await replaceKey((before) => send(new PageClient(before.url)));
    const { token, key = '' } = made;
    const { status } = await new PageClient(later.url).post(`/p/${token}/delete`, { delete_key: key });

    expect(status).toBe(200);
  });

  it('is limited like any other request', async () => {
    const running = await forThisTest(startApp({ REQUESTS_PER_MINUTE: '5' }));
    const sender = new PageClient(running.url);
    const { token } = await send(sender);
    const statuses = [];
    for (let i = 0; i < 6; i++)
      statuses.push((await sender.post(`/p/${token}/delete`, { delete_key: 'x' })).status);

    expect(statuses).toContain(429);
  });
});
