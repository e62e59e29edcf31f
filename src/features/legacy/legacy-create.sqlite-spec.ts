import { forAllTests, forEachTest, forThisTest } from '../../../test/support/for-tests.js';
import { startApp } from '../../../test/support/start-app.js';

const FILES = [{ filename: 'tulip.txt', content_type: 'text/plain', content: 'dHVsaXA=' }];

describe('Creating over the legacy API', () => {
  const running = forAllTests(() => startApp({ EXPIRE_AFTER_DAYS_MAX: '30' }));
  const owner = forEachTest(() => running.newUser());

  it('creates pushes of any kind without files at /p.json, without a token', async () => {
    const kindOf = async (password: object) =>
      (await running.anonymous.post('/p.json', { password })).body.kind;

    expect(await kindOf({ payload: 'tulip' })).toBe('text');
    expect(await kindOf({ payload: 'tulip', kind: 'text' })).toBe('text');
    expect(await kindOf({ payload: 'tulip', kind: 'qr' })).toBe('qr');
    expect(await kindOf({ payload: 'https://example.org', kind: 'url' })).toBe('url');
  });

  it('creates a file push from files without a kind, and keeps a given kind', async () => {
    const kindOf = async (password: object) => (await owner.client.post('/p.json', { password })).body.kind;

    expect(await kindOf({ files: FILES })).toBe('file');
    expect(await kindOf({ files: FILES, payload: '', kind: null })).toBe('file');
    expect(await kindOf({ files: FILES, payload: 'tulip', kind: 'text' })).toBe('text');
  });

  it.each([
    ['/p.json', ['push', 'file_push', 'url']],
    ['/f.json', ['push', 'password', 'url']],
    ['/r.json', ['push', 'password', 'file_push']],
    ['/api/v2/pushes', ['password', 'file_push', 'url']],
  ])('rejects other keys at %s', async (path, keys) => {
    for (const key of keys) {
      const { status } = await owner.client.post(path, {
        [key]: { payload: 'https://example.org', files: FILES },
      });
      expect(status).toBe(400);
    }
  });

  it('has the rules and errors of version 2', async () => {
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

  // Those with another app are last: only the latest one may use tokens.
  it.each([
    ['/f.json', 'file_push', 'file', { payload: 'tulip', files: FILES }],
    ['/r.json', 'url', 'url', { payload: 'https://example.org' }],
  ])('needs a token at %s, and ignores a given kind', async (path, key, kind, fields) => {
    const open = await forThisTest(startApp({ FILES_REQUIRE_AUTHENTICATION: 'false' }));
    const { client } = await open.newUser();
    const body = { [key]: { ...fields, kind: 'text' } };

    expect(await open.anonymous.post(path, body)).toMatchObject({
      status: 401,
      body: { error: 'A valid API token is needed.' },
    });
    expect(await client.post(path, body)).toMatchObject({ status: 201, body: { kind } });
    expect(await client.post(`/${path}/`, body)).toMatchObject({ status: 201, body: { kind } });
    expect((await client.get('/p/active.json')).body).toHaveLength(2);
  });

  it('rejects kinds that are disabled', async () => {
    const less = await forThisTest(startApp({ ENABLE_URL_PUSHES: 'false', ENABLE_FILE_PUSHES: 'false' }));
    const { client } = await less.newUser();
    const url = { payload: 'https://example.org' };

    expect(Object.keys((await client.post('/r.json', { url })).body)).toEqual(['kind']);
    expect((await client.post('/f.json', { file_push: { files: FILES } })).status).toBe(422);
    expect((await client.post('/p.json', { password: { payload: 'a', files: FILES } })).body).toHaveProperty(
      'files',
    );
  });
});
