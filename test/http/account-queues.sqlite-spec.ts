import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { AccountQueues, MAX_WAITING } from '../../src/platform/limits/account-queues.js';
import { Log } from '../../src/platform/logging/log.js';
import { PushRepository } from '../../src/pushes/push/push.repository.js';
import { newAdministrator } from '../support/administrator.js';
import type { ClientResponse } from '../support/client.js';
import { allAtOnce } from '../support/concurrent-calls.js';
import { eventually } from '../support/eventually.js';
import { forAllTests } from '../support/for-tests.js';
import { newSignedInUser } from '../support/page-client.js';
import { startApp } from '../support/start-app.js';

const LIST = '/api/v2/pushes/active';
const MAX_RUNNING = 2;
const REFUSED = 3;

describe('Lists and searches of one account', () => {
  const running = forAllTests(() => startApp({ ENABLE_REQUESTS_API: 'true' }));
  let server: Server;

  beforeAll(() => (server = running.app.getHttpServer()));
  afterEach(() => jest.restoreAllMocks());

  /** The lists of this account wait for `release`. */
  function holdLists(userId: string) {
    const pushes = running.app.get(PushRepository);
    const findActive = pushes.findActive.bind(pushes);
    const { promise: released, resolve: release } = Promise.withResolvers<unknown>();
    let begun = 0;
    jest.spyOn(pushes, 'findActive').mockImplementation(async (...asked) => {
      if (asked[0] === userId) {
        begun += 1;
        await released;
      }
      return findActive(...asked);
    });
    return { release, begun: () => begun };
  }

  it('run two at a time; more wait, and then get a 429, while others are served (M3)', async () => {
    const [owner, other] = [await running.newUser(), await running.newUser()];
    const { pageClient: otherPages } = await newSignedInUser(running);
    const lists = holdLists(owner.id);
    const refused: ClientResponse[] = [];
    const all = Promise.all(
      Array.from({ length: MAX_RUNNING + MAX_WAITING + REFUSED }, async () => {
        const response = await owner.client.get(LIST);
        if (response.status === 429) refused.push(response);
        return response.status;
      }),
    );
    await eventually(() => refused.length === REFUSED);

    expect(lists.begun()).toBe(MAX_RUNNING);
    for (const path of ['/api/v1/version', '/api/v2/pushes/expired', LIST])
      expect((await other.client.get(path)).status).toBe(200);
    expect((await otherPages.get('/pushes?q=a')).status).toBe(200);
    for (const path of ['/p/active.json', '/api/v2/audit', '/api/v2/pushes/expired'])
      expect((await owner.client.get(path)).status).toBe(429);
    expect(refused[0]?.headers.get('retry-after')).toBe('2');
    expect(refused[0]?.body).toEqual({ error: expect.stringContaining('Try again in a few seconds.') });

    lists.release(undefined);
    expect((await all).filter((status) => status === 200)).toHaveLength(MAX_RUNNING + MAX_WAITING);
    expect((await owner.client.get(LIST)).status).toBe(200);
  });

  it('show a page with the 429 to people (M3)', async () => {
    const { id, pageClient } = await newSignedInUser(running);
    const lists = holdLists(id);
    const statuses = Array.from({ length: MAX_RUNNING + MAX_WAITING + 1 }, () => pageClient.get('/pushes'));
    const refused = await Promise.race(statuses);

    expect(refused.status).toBe(429);
    expect(refused.headers.get('content-type')).toContain('text/html');
    lists.release(undefined);
    await Promise.all(statuses);
  });

  it.each([
    ...['/pushes', '/pushes/expired', '/requests', '/users/token', '/users/sessions', '/admin/accounts'],
    ...['/admin/audit', '/requests/TOKEN', '/p/PUSH/audit', '/p/PUSH/recipients'],
  ])('include %s, as it is and with a rejected form (M3)', async (path) => {
    const { id, pageClient } = await newAdministrator(running);
    const request = await pageClient.post('/requests', { request: 'the key' });
    const push = await pageClient.post('/', { 'push[payload]': 'secret' });
    const [, token = ''] = /requests\/([\w-]+)/.exec(request.headers.get('location') ?? '') ?? [];
    const [, pushToken = ''] = /\/p\/([\w-]{20,})/.exec(`${push.headers.get('location')} ${push.body}`) ?? [];
    const isForm = path.endsWith('recipients');
    const ask = () => {
      const at = path.replace('TOKEN', token).replace('PUSH', pushToken);
      return isForm ? pageClient.post(at, { add: 'nobody' }) : pageClient.get(at);
    };
    expect((await ask()).status).toBe(isForm ? 422 : 200);
    const { promise: released, resolve: release } = Promise.withResolvers<unknown>();
    const queues = running.app.get(AccountQueues);
    const waiting = Array.from({ length: MAX_RUNNING + MAX_WAITING }, () =>
      queues.run(id, new AbortController().signal, () => released),
    );

    expect((await ask()).status).toBe(429);
    release(undefined);
    await Promise.all(waiting);
    expect((await ask()).status).toBe(isForm ? 422 : 200);
  });

  it('include a request with its answers in the API (M3)', async () => {
    const { id, client } = await running.newUser();
    const created = await client.post('/api/v2/requests', { request: { request: 'the key' } });
    const path = `/api/v2/requests/${(created.body as { url_token: string }).url_token}`;
    expect((await client.get(path)).status).toBe(200);
    const { promise: released, resolve: release } = Promise.withResolvers<unknown>();
    const queues = running.app.get(AccountQueues);
    const waiting = Array.from({ length: MAX_RUNNING + MAX_WAITING }, () =>
      queues.run(id, new AbortController().signal, () => released),
    );

    expect((await client.get(path)).status).toBe(429);
    expect((await running.anonymous.get(path)).status).toBe(200);
    release(undefined);
    await Promise.all(waiting);
  });

  it('end when the client disconnects, without an error in the log (M3)', async () => {
    const { pageClient } = await newSignedInUser(running);
    await allAtOnce(60, () => pageClient.post('/', { 'push[payload]': 'secret', 'push[name]': 'tulip' }));
    const { headers } = await pageClient.post('/pushes/search', { q: 'nothing' });
    const failure = jest.spyOn(running.app.get(Log), 'failure');
    const client = new AbortController();
    const arrival = once(server, 'request') as Promise<[unknown, ServerResponse]>;
    const pushes = running.app.get(PushRepository);
    const findOwnBefore = pushes.findOwnBefore.bind(pushes);
    let response: ServerResponse | undefined;
    const batches = jest.spyOn(pushes, 'findOwnBefore').mockImplementation(async (...asked) => {
      const batch = await findOwnBefore(...asked);
      [, response] = await arrival;
      client.abort();
      if (!response.destroyed) await once(response, 'close');
      return batch;
    });
    const search = fetch(`${running.url}${headers.get('location')}`, {
      headers: { Cookie: pageClient.cookies },
      signal: client.signal,
    });

    await expect(search).rejects.toThrow('aborted');
    await eventually(() => response?.destroyed ?? false);
    expect((await pageClient.get('/pushes')).status).toBe(200);
    expect(batches).toHaveBeenCalledTimes(1);
    expect(failure).not.toHaveBeenCalled();
  });
});
