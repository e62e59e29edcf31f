import type { RunningApp, TestUser } from '../../../test/support/start-app.js';
import { startApp } from '../../../test/support/start-app.js';

const FILES = [{ filename: 'tulip.txt', content_type: 'text/plain', content: 'dHVsaXA=' }];

describe('Creating over the legacy API', () => {
  let running: RunningApp;
  let owner: TestUser;

  afterEach(() => running.stop());
  const start = async (env: Record<string, string> = {}) => {
    running = await startApp(env);
    owner = await running.newUser();
  };

  it('creates pushes of any kind without files at /p.json, without a token', async () => {
    await start();
    const kindOf = async (password: object) =>
      (await running.anonymous.post('/p.json', { password })).body.kind;

    expect(await kindOf({ payload: 'tulip' })).toBe('text');
    expect(await kindOf({ payload: 'tulip', kind: 'text' })).toBe('text');
    expect(await kindOf({ payload: 'tulip', kind: 'qr' })).toBe('qr');
    expect(await kindOf({ payload: 'https://example.org', kind: 'url' })).toBe('url');
  });

  it('creates a file push from files without a kind, and keeps a given kind', async () => {
    await start();
    const kindOf = async (password: object) => (await owner.client.post('/p.json', { password })).body.kind;

    expect(await kindOf({ files: FILES })).toBe('file');
    expect(await kindOf({ files: FILES, payload: '', kind: null })).toBe('file');
    expect(await kindOf({ files: FILES, payload: 'tulip', kind: 'text' })).toBe('text');
  });

  it.each([
    ['/f.json', 'file_push', 'file', { payload: 'tulip', files: FILES }],
    ['/r.json', 'url', 'url', { payload: 'https://example.org' }],
  ])('needs a token at %s, and ignores a given kind', async (path, key, kind, fields) => {
    await start({ FILES_REQUIRE_AUTHENTICATION: 'false' });
    const body = { [key]: { ...fields, kind: 'text' } };

    expect(await running.anonymous.post(path, body)).toMatchObject({
      status: 401,
      body: { error: 'A valid API token is needed.' },
    });
    expect(await owner.client.post(path, body)).toMatchObject({ status: 201, body: { kind } });
    expect(await owner.client.post(`/${path}/`, body)).toMatchObject({ status: 201, body: { kind } });
    expect((await owner.client.get('/p/active.json')).body).toHaveLength(2);
  });

  it.each([
    ['/p.json', ['push', 'file_push', 'url']],
    ['/f.json', ['push', 'password', 'url']],
    ['/r.json', ['push', 'password', 'file_push']],
    ['/api/v2/pushes', ['password', 'file_push', 'url']],
  ])('rejects other keys at %s', async (path, keys) => {
    await start();
    for (const key of keys) {
      const { status } = await owner.client.post(path, {
        [key]: { payload: 'https://example.org', files: FILES },
      });
      expect(status).toBe(400);
    }
  });

  it('has the rules and errors of version 2', async () => {
    await start({ EXPIRE_AFTER_DAYS_MAX: '30' });
    const fields = { payload: '', expire_after_days: 31, expire_after_views: 'many', kind: 'tulip' };
    const { status, body } = await owner.client.post('/p.json', { password: fields });
    const { body: body2 } = await owner.client.post('/api/v2/pushes', { push: fields });

    expect(status).toBe(422);
    expect(body).toEqual(body2);
    expect(await owner.client.post('/f.json', { file_push: { payload: 'tulip' } })).toMatchObject({
      status: 422,
      body: { files: ['must have at least one file'] },
    });
    expect(await owner.client.post('/r.json', { url: { payload: 'javascript:alert(1)' } })).toMatchObject({
      status: 422,
      body: { payload: [expect.any(String)] },
    });
  });

  it('requires a token for files, whatever the kind (C2, F6)', async () => {
    await start();
    const bodies = [
      { payload: 'tulip', files: FILES },
      { payload: 'tulip', kind: 'text', files: FILES },
      { payload: 'tulip', files: [] },
      { payload: 'tulip', kind: 'file' },
    ];
    for (const password of bodies) {
      expect((await running.anonymous.post('/p.json', { password })).status).toBe(401);
    }
  });

  it('rejects kinds that are disabled', async () => {
    await start({ ENABLE_URL_PUSHES: 'false', ENABLE_FILE_PUSHES: 'false' });
    const url = { payload: 'https://example.org' };

    expect(Object.keys((await owner.client.post('/r.json', { url })).body)).toEqual(['kind']);
    expect((await owner.client.post('/f.json', { file_push: { files: FILES } })).status).toBe(422);
    expect(
      (await owner.client.post('/p.json', { password: { payload: 'a', files: FILES } })).body,
    ).toHaveProperty('files');
  });

  it('requires a token for everything but the version without anonymous access', async () => {
    await start({ ALLOW_ANONYMOUS: 'false' });
    const { url_token: token } = await owner.client.push({ payload: 'tulip', deletable_by_viewer: true });
    const refusals = [
      await running.anonymous.post('/p.json', { password: { payload: 'tulip' } }),
      await running.anonymous.get(`/p/${token}.json`),
      await running.anonymous.head(`/p/${token}.json`),
      await running.anonymous.get(`/f/${token}/preview.json`),
      await running.anonymous.delete(`/r/${token}.json`),
      await running.anonymous.get('/p/unknown.json'),
      await running.anonymous.get('/p/active.json'),
    ];

    expect(refusals.map(({ status }) => status)).toEqual(refusals.map(() => 401));
    expect((await running.anonymous.get('/api/v1/version.json')).status).toBe(200);
    expect((await owner.client.get(`/p/${token}.json`)).body).toMatchObject({
      payload: 'tulip',
      views_remaining: 4,
    });
  });
});
