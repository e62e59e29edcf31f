import type { RunningApp, TestUser } from '../support/start-app.js';
import { startApp } from '../support/start-app.js';

describe('Paths of the legacy API', () => {
  let running: RunningApp;
  let owner: TestUser;

  beforeAll(async () => (running = await startApp()));
  beforeEach(async () => {
    owner = await running.newUser();
  });
  afterAll(() => running.stop());

  describe.each(['p', 'f', 'r'])('under /%s', (prefix) => {
    it('accept extra slashes, and never redirect', async () => {
      const { url_token: token } = await owner.client.push({ payload: 'tulip' });
      const paths = [
        `//${prefix}//${token}.json/`,
        `/${prefix}///${token}.json//`,
        `/${prefix}//${token}//preview.json/`,
        `//${prefix}/${token}//audit.json//`,
        `//${prefix}//active.json/`,
        `/${prefix}//expired.json/?page=1`,
      ];
      const answers = await Promise.all(paths.map((path) => owner.client.get(path)));

      expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 200));
      expect(answers[4]?.headers.get('link')).toContain(`<${running.url}/${prefix}/active.json?page=1>`);
    });

    it('are not part of the API without .json', async () => {
      const { url_token: token } = await owner.client.push({ payload: 'tulip', deletable_by_viewer: true });
      const asJson = owner.client.with({ Accept: 'application/json' });
      const answers = [
        await asJson.get(`/${prefix}`),
        await asJson.get(`/${prefix}/${token}`),
        await asJson.get(`/${prefix}/${token}/preview`),
        await asJson.get(`/${prefix}/${token}/audit`),
        await asJson.get(`/${prefix}/active`),
        await asJson.delete(`/${prefix}/${token}`),
        await asJson.post(`/${prefix}`, { password: { payload: 'rose' } }),
      ];

      for (const { body } of answers) {
        expect(JSON.stringify(body)).not.toMatch(/tulip|url_token|"url"|"views"/);
      }
      expect((await owner.client.get('/p/active.json')).body).toMatchObject([
        { url_token: token, views_remaining: 5 },
      ]);
    });

    it.each(['PUT', 'PATCH', 'POST', 'OPTIONS'])('do not support %s for a push', async (method) => {
      const { url_token: token } = await owner.client.push({ payload: 'tulip', deletable_by_viewer: true });

      expect(await owner.client.send(method, `/${prefix}/${token}.json`)).toMatchObject({
        status: 404,
        body: { error: 'not-found' },
      });
      expect((await running.anonymous.retrieve(token)).body.views_remaining).toBe(4);
    });
  });

  it.each([
    '/api/v1',
    '/api/v1/accounts',
    '/api/v1/accounts.json',
    '/api/v1/pushes',
    '/api/v2/accounts',
    '/api/v2/requests',
    '/api/v2/workspaces',
    '/p.json',
    '/f.json',
    '/r.json',
    '/p/unknown.json',
    '/p/unknown/files.json',
  ])('respond with 404 to GET %s, whatever the token', async (path) => {
    const wrong = running.anonymous.with({ Authorization: 'Bearer wrong' });
    const answers = [await running.anonymous.get(path), await owner.client.get(path)];
    if (path !== '/p/unknown.json') answers.push(await wrong.get(path));

    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { error: 'not-found' } });
  });
});
