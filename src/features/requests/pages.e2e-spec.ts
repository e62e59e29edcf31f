import { User } from '../../auth/entities/user.entity.js';
import { allAtOnce } from '../../../test/support/concurrent-calls.js';
import { formOf } from '../../../test/support/files.js';
import { forAllTests, forEachTest } from '../../../test/support/for-tests.js';
import { newSignedInUser, PageClient } from '../../../test/support/page-client.js';
import { ageRecipient } from '../../../test/support/requests.js';
import { startApp } from '../../../test/support/start-app.js';

const ASKED = 'The password of the shop, please';

describe('The pages of requests, without scripts', () => {
  const running = forAllTests(() => startApp({ ANSWERS_PER_MINUTE: '0' }));
  let owner: PageClient;
  const stranger = forEachTest(() => new PageClient(running.url));

  beforeEach(async () => (owner = (await newSignedInUser(running)).pageClient));

  async function ask(fields: Record<string, string> = {}): Promise<string> {
    const { status, headers } = await owner.post('/requests', { request: ASKED, ...fields });
    expect(status).toBe(303);
    return headers.get('location') ?? '';
  }
  const answer = (path: string, secret: string) => stranger.post(path, { 'push[payload]': secret });

  it('ask, answer and read', async () => {
    const path = await ask({ name: 'shop', answers: '2' });
    expect((await owner.get(path)).body).toContain(`value="${running.url}${path}"`);
    const form = await stranger.get(path);
    expect(form.body).toContain(ASKED);
    expect(form.body).not.toContain('shop</');

    const sent = await answer(path, 'correct\r\nhorse');
    expect([sent.status, sent.body.includes('Your answer has arrived.')]).toEqual([201, true]);
    const [token = ''] = /\/p\/[\w-]{43}/.exec((await owner.get(path)).body) ?? [];
    expect((await stranger.get(token)).status).toBe(404);
    expect((await stranger.post(token)).status).toBe(404);
    expect((await owner.post(token)).body).toContain('correct\nhorse');
    expect((await owner.get('/requests')).body).toContain('1 of 2 answers');
  });

  it('take files if they are wanted', async () => {
    const path = await ask({ response_file_attachments: 'on' });
    const unwanted = await stranger.post(await ask(), formOf([{ name: 'tulip.txt', content: 'red' }]));
    expect([unwanted.status, unwanted.body.includes('This request takes no files.')]).toEqual([422, true]);
    const files = formOf([{ name: 'tulip.txt', content: 'red' }]);
    const { status } = await stranger.post(path, files);
    const [token = ''] = /\/p\/[\w-]{43}/.exec((await owner.get(path)).body) ?? [];

    expect(status).toBe(201);
    expect((await owner.post(token)).body).toContain('tulip.txt');
  });

  it('show a rejected form again, never with the secret', async () => {
    const path = await ask();
    const empty = await answer(path, ' ');
    expect([empty.status, empty.body.includes('payload-error')]).toEqual([422, true]);
    const large = await answer(path, 'tulip'.repeat(300_000));
    expect([large.status, large.body.includes('tuliptulip')]).toEqual([422, false]);
    expect((await owner.get('/requests')).body).toContain('No answer yet');
  });

  it('say that a request is closed, and do not take an answer that comes too late', async () => {
    const path = await ask();
    expect((await stranger.post(`${path}/close`)).headers.get('location')).toContain('/users/sign_in');
    const { pageClient: other } = await newSignedInUser(running);
    expect((await other.post(`${path}/close`)).status).toBe(404);
    expect((await owner.post(`${path}/close`)).status).toBe(303);

    for (const { status, body } of [await stranger.get(path), await answer(path, 'tulip')])
      expect([status, body.includes('This request is closed'), body.includes(ASKED)]).toEqual([
        410,
        true,
        false,
      ]);
    expect((await owner.get(path)).body).toContain('Closed: it takes no more answers.');
  });

  it('show nothing before the passphrase, which a browser enters once', async () => {
    const path = await ask({ passphrase: 'open sesame', answers: '9' });
    expect((await stranger.get(path)).body).not.toContain(ASKED);
    expect((await answer(path, 'tulip')).status).toBe(401);
    expect((await stranger.post(`${path}/passphrase`, { passphrase: 'wrong' })).status).toBe(422);
    expect((await stranger.get(path)).body).not.toContain(ASKED);
    expect((await stranger.post(`${path}/passphrase`, { passphrase: 'open sesame' })).status).toBe(303);
    expect((await stranger.get(path)).body).toContain(ASKED);
    expect((await answer(path, 'tulip')).status).toBe(201);

    const other = await ask({ passphrase: 'open sesame' });
    const cookie = stranger.cookies.replace(/^[^=]+/, 'request-0000000000000000');
    expect((await stranger.get(other)).body).not.toContain(ASKED); // the cookie is of the first request
    expect((await new PageClient(running.url, { Cookie: cookie }).get(other)).body).not.toContain(ASKED);
  });

  it('limit wrong passphrases', async () => {
    const path = await ask({ passphrase: 'open sesame' });
    const statuses: number[] = [];
    for (let i = 0; i < 7; i++)
      statuses.push((await stranger.post(`${path}/passphrase`, { passphrase: `wrong ${i}` })).status);
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429, 429]);
  });

  it('of others do not exist for an account', async () => {
    const path = await ask();
    const { pageClient: other } = await newSignedInUser(running);
    expect((await other.get('/requests')).body).not.toContain(path);
    expect((await other.get(path)).body).toContain('name="push[payload]"');
    await answer(path, 'tulip');
    const [token = ''] = /\/p\/[\w-]{43}/.exec((await owner.get(path)).body) ?? [];
    expect((await other.post(`${token}/share`)).status).toBe(404);
    expect((await other.get(`${token}/audit`)).status).toBe(404);
  });

  it('show what is wrong with a request, and what was typed', async () => {
    const { status, body } = await owner.post('/requests', {
      request: '',
      name: 'shop',
      answers: '0',
      note: '<b>',
    });

    expect(status).toBe(422);
    for (const part of ['request-error', 'answers-error', 'value="shop"', '&lt;b>'])
      expect(body).toContain(part);
  });

  it('take no form that has lost its passphrase, or the key that it was to have', async () => {
    const first = await owner.post('/requests', { request: ASKED, passphrase: 'open sesame', answers: '0' });
    expect(first.body).toContain('name="passphrase_was_set"');
    expect(first.body).toContain('Enter the passphrase again.');
    const again = await owner.post('/requests', { request: ASKED, passphrase_was_set: 'on' });
    expect([again.status, again.body.includes('passphrase-error')]).toEqual([422, true]);
    for (const encryption of ['browser', 'own'])
      expect((await owner.post('/requests', { request: ASKED, encryption, recipient: '' })).status).toBe(422);
    expect((await owner.get('/requests')).body).not.toContain(ASKED);
  });

  it('keep the choice of the key in a rejected form', async () => {
    const { recipient } = await ageRecipient();
    const rejected = { request: '', encryption: 'browser', recipient };
    expect((await owner.post('/requests', rejected)).body).not.toContain(recipient);
    const own = await owner.post('/requests', { ...rejected, encryption: 'own' });
    expect(own.body).toContain(recipient);
    expect(/value="own" checked/.test(own.body)).toBe(true);
    const server = await owner.post('/requests', { request: '', encryption: 'server' });
    expect(/value="server" checked/.test(server.body)).toBe(true);
  });

  it('take a text of every length that is allowed', async () => {
    const path = await ask({ request: '猫'.repeat(10_000) });
    expect((await stranger.get(path)).body).toContain('猫猫');
  });

  it('of a disabled account say only that they are closed, whatever is sent', async () => {
    const path = await ask({ passphrase: 'open sesame', include_requestor: 'on' });
    await running.dataSource.getRepository(User).updateAll({ disabledAt: new Date() });
    for (const { status, body } of [await stranger.get(path), await answer(path, 'tulip')])
      expect([status, body.includes(ASKED), body.includes('asks:')]).toEqual([410, false, false]);
    await running.dataSource.getRepository(User).updateAll({ disabledAt: null });
  });

  it('count a form once that is sent again while the first is being committed', async () => {
    const path = await ask();
    const once = { 'Idempotency-Key': `"${'k'.repeat(22)}"` };
    const several = await ask({ answers: '5' });
    for (const each of [path, several]) {
      const answers = await allAtOnce(8, () => stranger.post(each, { 'push[payload]': 'tulip' }, once));
      expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(201));
    }
    expect((await owner.get('/requests')).body).toContain('1 new answer');
  });
});
