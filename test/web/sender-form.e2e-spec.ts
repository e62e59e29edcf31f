import { Push } from '../../src/pushes/push.entity.js';
import { newMember, PageClient } from '../support/page-client.js';
import type { RunningApp } from '../support/start-app.js';
import { startApp } from '../support/start-app.js';

const JSON_ANSWER = { Accept: 'application/json' };
const FORM = {
  'push[payload]': 'correct horse',
  'push[passphrase]': 'sesame',
  'push[expire_after_views]': '1',
};

const hidden = (body: string, name: string) =>
  new RegExp(`name="push\\[${name}\\]" value="([^"]*)"`).exec(body)?.[1] ?? '';
const tokenIn = (body: string) => /\/p\/([\w-]{43})/.exec(body)?.[1] ?? '';

describe('The form of a sender', () => {
  let running: RunningApp;
  let pageClient: PageClient;

  beforeAll(async () => (running = await startApp()));
  beforeEach(() => (pageClient = new PageClient(running.url)));
  afterAll(() => running.stop());

  const count = () => running.dataSource.manager.count(Push);

  it('answers its script with the path of the link', async () => {
    const { status, body } = await pageClient.post('/', FORM, JSON_ANSWER);

    expect(status).toBe(201);
    expect(body).toEqual({ path: expect.stringMatching(/^p\/[\w-]{43}\/preview#delete=[\w-]{43}$/) });
  });

  it('answers its script with the errors in the language of the page, and with nothing that was typed', async () => {
    const wrong = { ...FORM, 'push[expire_after_views]': '1000' };
    const { status, body } = await pageClient.post('/', wrong, { ...JSON_ANSWER, 'Accept-Language': 'de' });

    expect(status).toBe(422);
    expect(body).toEqual({ errors: { expire_after_views: 'Geben Sie eine ganze Zahl von 1 bis 100 ein.' } });
  });

  it('is refused for another account than the one it was shown to, or for none', async () => {
    const [one, other] = [await newMember(running), await newMember(running)];
    const account = hidden((await one.pageClient.get('/')).body, 'account');
    const before = await count();
    for (const client of [other.pageClient, pageClient]) {
      const { status, body } = await client.post('/', { ...FORM, 'push[account]': account });
      expect(status).toBe(409);
      expect(body).toContain('Your account has changed since this form was shown.');
      expect(body).toMatch(/name="push\[expire_after_views\]"[^>]* value="1"|value="1"/);
      expect(body).not.toContain('correct horse');
    }
    const { status, body } = await other.pageClient.post(
      '/',
      { ...FORM, 'push[account]': account },
      JSON_ANSWER,
    );

    expect([status, body]).toMatchObject([409, { owner: { email: other.email } }]);
    expect(await count()).toBe(before);
    expect((await one.pageClient.post('/', { ...FORM, 'push[account]': account })).status).toBe(201);
  });

  it.each<Record<string, string>>([
    { 'push[account][]': 'a' },
    { 'push[account][a]': 'a' },
    { 'push[account]': 'x'.repeat(9999) },
  ])('is refused with a hostile account: %j', async (account) => {
    expect((await pageClient.post('/', { ...FORM, ...account })).status).toBe(409);
  });

  it('creates nothing twice when it is only sent again, and another push when it was changed', async () => {
    const key = hidden((await pageClient.get('/')).body, 'idempotency_key');
    const submit = (fields: Record<string, string>) =>
      pageClient.post('/', { ...FORM, ...fields, 'push[idempotency_key]': key });
    const tokens = [await submit({}), await submit({}), await submit({ 'push[payload]': 'other' })].map(
      ({ body }) => tokenIn(body),
    );

    expect(key).toMatch(/^[\w-]{43}$/);
    expect(tokens[1]).toBe(tokens[0]);
    expect(tokens[2]).not.toBe(tokens[0]);
  });

  it('is not created without a passphrase when it had one', async () => {
    const wrong = { ...FORM, 'push[kind]': 'url' };
    const { body } = await pageClient.post('/', wrong);
    const flag = hidden(body, 'passphrase_was_set');
    const again = { ...FORM, 'push[passphrase]': '', 'push[passphrase_was_set]': flag };

    expect(flag).toBe('on');
    const { status, body: refused } = await pageClient.post('/', again);
    expect(status).toBe(422);
    expect(refused).toContain('Enter the passphrase again.');
  });

  it('shows its link later to anyone who has it, and the activity only to the owner', async () => {
    const { pageClient: member } = await newMember(running);
    const token = tokenIn((await member.post('/', FORM)).body);
    const path = `/p/${token}/preview`;

    expect((await member.get(path)).body).toContain(`/p/${token}/audit`);
    const { body } = await pageClient.get(path);
    expect(body).not.toContain(`/p/${token}/audit`);
    expect(body).toMatch(/href="mailto:\?subject=[^"]+body=[^"]+"/);
    expect(body).not.toContain('sesame');
  });
});

describe('The form of a sender where anonymous pushes are disabled', () => {
  let running: RunningApp;

  beforeAll(async () => (running = await startApp({ ALLOW_ANONYMOUS: 'false' })));
  afterAll(() => running.stop());

  it('tells its script that the visitor is not signed in any more', async () => {
    const { status, body } = await new PageClient(running.url).post('/', FORM, JSON_ANSWER);

    expect([status, body]).toEqual([401, { errors: { form: 'Sign in first.' } }]);
    expect(await running.dataSource.manager.count(Push)).toBe(0);
  });
});
