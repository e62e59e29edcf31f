import { Push } from '../../src/pushes/push/push.entity.js';
import { clientEncryptedPush } from '../support/age-files.js';
import type { ClientResponse } from '../support/client.js';
import { forAllTests, forEachTest } from '../support/for-tests.js';
import { newSignedInUser } from '../support/page-client.js';
import { startApp } from '../support/start-app.js';

const TICKED = { 'push[names_sender]': 'on' };
const BOX = /type="checkbox" id="names_sender"/;
const headline = ({ body }: ClientResponse<string>) =>
  /<h1[^>]*>(.*?)<\/h1>/.exec(body.split('</noscript>').at(-1) ?? '')?.[1]?.replaceAll(/<[^>]*>/g, '');
const titleOf = ({ body }: ClientResponse<string>) => /<title>(.*?)<\/title>/.exec(body)?.[1];

describe('A sender', () => {
  const running = forAllTests(startApp);
  const member = forEachTest(() => newSignedInUser(running));

  beforeEach(() => setColumn('email_unverified', 0));

  const setColumn = (name: string, value: unknown) =>
    running.query(`UPDATE users SET ${name} = ? WHERE id = ?`, [value, member.id]);
  const someone = 'Someone sent you a secret';
  const named = () => `${member.email} sent you a secret`;

  /** Shares a secret on the page. */
  async function share(fields: Record<string, string> = {}, sender = member.pageClient): Promise<string> {
    const { status, body } = await sender.post('/', { 'push[payload]': 'tulip', ...fields });
    expect(status).toBe(201);
    return /\/p\/([\w-]{43})/.exec(body)?.[1] ?? '';
  }
  const visit = async (token: string) =>
    running.anonymous.get(`/p/${token}`) as Promise<ClientResponse<string>>;

  it('is named on the page of a link only if they chose that', async () => {
    const page = await visit(await share(TICKED));

    expect(headline(page)).toBe(named());
    expect(titleOf(page)).toBe('Someone sent you a secret · Sealpush'); // browsers keep titles
    expect(headline(await visit(await share()))).toBe(someone);
    expect(headline(await visit(await share({ 'push[names_sender]': 'off' })))).toBe(someone);
  });

  it('is named with what the browser has encrypted, and after a wrong passphrase', async () => {
    const { payload } = clientEncryptedPush();
    const encrypted = await share({
      ...TICKED,
      'push[payload]': payload,
      'push[client_encrypted]': 'true',
      'push[passphrase]': 'A'.repeat(43),
    });
    const token = await share({ ...TICKED, 'push[passphrase]': 'sesame' });
    const again = await member.pageClient.post(`/p/${token}`, { passphrase: 'wrong' });

    expect(headline(await visit(encrypted))).toBe(named());
    expect(again.status).toBe(422);
    expect(headline(again)).toBe(named());
  });

  it('is named nowhere else', async () => {
    const token = await share(TICKED);
    const responses = [
      await running.anonymous.get(`/p/${token}/preview`),
      await running.anonymous.get(`/api/v2/pushes/${token}/preview`),
      await running.anonymous.send('POST', `/p/${token}`, new URLSearchParams(), {
        'Sec-Fetch-Site': 'same-origin',
      }),
      await running.anonymous.get(`/api/v2/pushes/${token}`),
    ];

    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(JSON.stringify(responses.map(({ body }) => body))).not.toContain(member.email);
  });

  it('is not named by the API, which programs use for others, nor without an account', async () => {
    const { url_token } = await running.anonymous.push({ payload: 'tulip', names_sender: 'on' });
    await share(TICKED);
    const anonymous = await running.anonymous.send(
      'POST',
      '/',
      new URLSearchParams({ 'push[payload]': 'tulip', ...TICKED }),
      { 'Sec-Fetch-Site': 'same-origin' },
    );
    const token = /\/p\/([\w-]{43})/.exec(String(anonymous.body))?.[1] ?? '';

    expect(headline(await visit(url_token as string))).toBe(someone);
    expect(headline(await visit(token))).toBe(someone);
    expect(await running.dataSource.manager.countBy(Push, { userId: member.id, namesSender: true })).toBe(1);
  });

  it.each<[string, string, unknown]>([
    ['an address that is not verified', 'email_unverified', 1],
    ['a disabled account', 'disabled_at', '2026-01-01 00:00:00.000'],
    ['an address that looks like another one', 'email', 'ceo@example.org\u202e@example.net'],
    ['an address with a line break', 'email', 'ceo@example.org\nBcc: a@example.org'],
  ])('is not named any more with %s', async (_, column, value) => {
    const token = await share(TICKED);
    expect(headline(await visit(token))).toBe(named());
    await setColumn(column, value);

    expect(headline(await visit(token))).toBe(someone);
  });

  it('is offered the choice only with a verified address, and finds it as it was in a rejected form', async () => {
    expect((await member.pageClient.get('/')).body).toMatch(BOX);
    const rejected = await member.pageClient.post('/', TICKED);
    expect(rejected.status).toBe(422);
    expect(rejected.body).toMatch(/id="names_sender"[^>]* checked/);
    expect(rejected.body).toMatch(/id="with-more"[^>]* checked/);
    expect((await member.pageClient.post('/', {})).body).not.toMatch(/id="names_sender"[^>]* checked/);
    expect((await running.anonymous.get('/')).body).not.toMatch(BOX);
    await setColumn('email_unverified', 1);

    expect((await member.pageClient.get('/')).body).not.toMatch(BOX);
  });

  it('gets another push with another choice, also with the same key of the form', async () => {
    const key = { 'push[idempotency_key]': 'k'.repeat(43) };
    const first = await share({ ...key });

    expect(await share({ ...key })).toBe(first);
    expect(await share({ ...key, ...TICKED })).not.toBe(first);
  });
});
