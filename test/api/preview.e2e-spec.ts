import { auditKinds } from '../support/audit-kinds.js';
import { forAllTests } from '../support/for-tests.js';
import { startApp } from '../support/start-app.js';

const UNKNOWN = '/api/v2/pushes/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

describe('HEAD and preview of a push', () => {
  const running = forAllTests(startApp);
  const owner = forAllTests(() => running.newUser());

  it('count and audit nothing, need no passphrase and reveal no secret (A9)', async () => {
    const { url_token } = await owner.client.push({
      payload: 'tulip',
      passphrase: 'horse',
      expire_after_views: 1,
    });
    const path = `/api/v2/pushes/${url_token}`;
    const answers = [
      await running.anonymous.head(path),
      await running.anonymous.head(`${path}?passphrase=wrong`),
      await running.anonymous.with({ 'X-Push-Passphrase': '%' }).head(path),
      await running.anonymous.get(`${path}/preview`),
      await running.anonymous.head(`${path}/preview`),
    ];

    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [200, ''],
      [200, ''],
      [200, ''],
      [200, { url: `${running.url}/p/${url_token}` }],
      [200, ''],
    ]);
    expect((await running.anonymous.send('OPTIONS', path)).body).not.toMatchObject({ payload: 'tulip' });
    expect(await auditKinds(owner.client, url_token)).toEqual(['creation']);
    expect((await running.anonymous.retrieve(url_token, 'horse')).body).toMatchObject({
      payload: 'tulip',
      views_remaining: 0,
    });
  });

  it('are possible after the end, and change nothing (A9)', async () => {
    const { url_token } = await owner.client.push({
      payload: 'tulip',
      expire_after_views: 1,
      retrieval_step: true,
    });
    const path = `/api/v2/pushes/${url_token}`;
    await running.anonymous.retrieve(url_token);

    expect((await running.anonymous.head(path)).status).toBe(200);
    expect((await running.anonymous.get(`${path}/preview`)).body).toEqual({
      url: `${running.url}/p/${url_token}/r`,
    });
    expect(await auditKinds(owner.client, url_token)).toEqual(['creation', 'view']);
  });

  it('respond with 404 for an unknown push', async () => {
    const { status, body } = await running.anonymous.get(`${UNKNOWN}/preview`);

    expect([status, body]).toEqual([404, { error: 'not-found' }]);
  });
});
