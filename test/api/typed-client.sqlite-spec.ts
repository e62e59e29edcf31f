import createClient from 'openapi-fetch';
import type { paths } from '../../packages/client/src/api-types.js';
import { forAllTests } from '../support/for-tests.js';
import { startApp } from '../support/start-app.js';

describe('A client with the types of openapi.json', () => {
  const running = forAllTests(startApp);
  const owner = forAllTests(() => running.newUser());

  it('creates, retrieves and deletes a push', async () => {
    const api = createClient<paths>({
      baseUrl: running.url,
      headers: { Authorization: `Bearer ${owner.token}` },
    });
    const created = await api.POST('/api/v2/pushes', {
      body: { push: { payload: 'tulip', passphrase: 'open sesame', expire_after_views: 3, name: 'spring' } },
    });
    const params = { path: { url_token: created.data?.url_token ?? '' } };
    const header = { 'X-Push-Passphrase': encodeURIComponent('open sesame') };
    const retrieved = await api.GET('/api/v2/pushes/{url_token}', { params: { ...params, header } });
    const refused = await api.GET('/api/v2/pushes/{url_token}', { params });
    const active = await api.GET('/api/v2/pushes/active', { params: { query: { page: 1 } } });
    const deleted = await api.DELETE('/api/v2/pushes/{url_token}', { params });

    expect(created.data?.name).toBe('spring');
    expect(retrieved.data?.payload).toBe('tulip');
    expect(retrieved.data?.views_remaining).toBe(2);
    expect(refused.error?.error).toBe('This push needs its passphrase.');
    expect(active.data?.map(({ name }) => name)).toEqual(['spring']);
    expect(deleted.data?.deleted).toBe(true);
  });

  it('can use version 1 as well', async () => {
    const api = createClient<paths>({
      baseUrl: running.url,
      headers: { Authorization: `Bearer ${owner.token}` },
    });
    const created = await api.POST('/p.json', {
      body: { password: { payload: 'tulip', kind: 'text', expire_after_views: 3 } },
    });
    const link = await api.POST('/r.json', { body: { url: { payload: 'https://example.org/' } } });
    const below = (prefix: 'p' | 'f') => ({ path: { prefix, url_token: created.data?.url_token ?? '' } });
    const retrieved = await api.GET('/{prefix}/{url_token}.json', { params: below('f') });
    const audit = await api.GET('/{prefix}/{url_token}/audit.json', { params: below('p') });
    const version = await api.GET('/api/v1/version');

    expect(link.data?.kind).toBe('url');
    expect(retrieved.data?.views_remaining).toBe(2);
    expect(audit.data?.views.map(({ kind }) => kind)).toEqual(['creation', 'view']);
    expect(version.data?.api_version).toBe('1.5');
  });

  it('receives the errors of its fields', async () => {
    const api = createClient<paths>({ baseUrl: running.url });
    const { data, error, response } = await api.POST('/api/v2/pushes', { body: { push: { payload: '' } } });

    expect(data).toBeUndefined();
    expect(response.status).toBe(422);
    expect(error).toEqual({ payload: [expect.any(String)] });
  });
});
