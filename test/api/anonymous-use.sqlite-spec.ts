import { forAllTests } from '../support/for-tests.js';
import { PageClient } from '../support/page-client.js';
import { startApp } from '../support/start-app.js';

describe('An instance without anonymous pushes', () => {
  const running = forAllTests(() => startApp({ ALLOW_ANONYMOUS: 'false' }));
  const owner = forAllTests(() => running.newUser());

  it('reports it in the version response', async () => {
    const { body } = await running.anonymous.get('/api/v2/version');

    expect(body.features.anonymous_access).toBe(false);
  });

  it('does not retrieve, delete or create pushes without a token', async () => {
    const { url_token: urlToken } = await owner.client.push({ payload: 'tulip', deletable_by_viewer: true });
    const path = `/api/v2/pushes/${urlToken}`;
    const refusals = [
      await running.anonymous.get(path),
      await running.anonymous.head(path),
      await running.anonymous.get(`${path}/preview`),
      await running.anonymous.delete(path),
      await running.anonymous.post('/api/v2/pushes', { push: { payload: 'tulip' } }),
      await running.anonymous.get('/api/v2/pushes/unknown'),
    ];

    expect(refusals.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 401]);
    expect((await owner.client.get(path)).body).toMatchObject({ payload: 'tulip', views_remaining: 4 });
  });

  it('opens a link on its page without a token, but requires signing in to create a push', async () => {
    const { url_token: urlToken } = await owner.client.push({ payload: 'tulip' });
    const pageClient = new PageClient(running.url);

    expect((await pageClient.post(`/p/${urlToken}`)).body).toContain('tulip');
    expect((await pageClient.get('/')).headers.get('location')).toMatch(/^\/users\/sign_in/);
    expect((await pageClient.post('/', { 'push[payload]': 'rose' })).status).toBe(401);
  });

  it('accepts any valid token', async () => {
    const stranger = await running.newUser();
    const { url_token: urlToken } = await owner.client.push({ payload: 'tulip', deletable_by_viewer: true });

    expect((await stranger.client.retrieve(urlToken)).body.payload).toBe('tulip');
    expect((await stranger.client.delete(`/api/v2/pushes/${urlToken}`)).body.deleted).toBe(true);
  });

  it('responds with 404 for an unknown path, without a token', async () => {
    expect(await running.anonymous.get('/api/v2/accounts')).toMatchObject({
      status: 404,
      body: { error: 'not-found' },
    });
  });
});
