import { forAllTests } from '../support/for-tests.js';
import { sendRaw } from '../support/send-raw.js';
import { startApp } from '../support/start-app.js';

describe('POST /api/v2/pushes with invalid or hostile fields', () => {
  const running = forAllTests(startApp);
  const owner = forAllTests(() => running.newUser());
  const create = (push: object) => running.anonymous.post('/api/v2/pushes', { push });

  it('reports all invalid fields at once (I4)', async () => {
    const wrong = [['tulip'], { a: 1 }, 1, true];
    for (const value of wrong) {
      const { status, body } = await create({
        payload: value,
        kind: value,
        passphrase: value,
        name: value,
        note: value,
        expire_after_days: 'soon',
        expire_after_views: 'many',
        deletable_by_viewer: 'perhaps',
        retrieval_step: [true],
      });

      expect(status).toBe(422);
      expect(body).toEqual({
        payload: ['must be a string'],
        kind: ['must be one of those enabled here: text, file, url, qr'],
        passphrase: ['must be a string'],
        name: ['must be a string'],
        note: ['must be a string'],
        expire_after_days: ['must be a whole number from 1 to 90'],
        expire_after_views: ['must be a whole number from 1 to 100'],
        deletable_by_viewer: ['must be true or false'],
        retrieval_step: ['must be true or false'],
      });
    }
  });

  it('treats null as absent', async () => {
    const body = await running.anonymous.push({
      payload: 'tulip',
      files: null,
      kind: null,
      expire_after_days: null,
      expire_after_duration: null,
      expire_after_views: null,
      deletable_by_viewer: null,
      retrieval_step: null,
      passphrase: null,
      name: null,
      note: null,
    });

    expect(body).toMatchObject({
      kind: 'text',
      expire_after_days: 7,
      expire_after_views: 5,
      deletable_by_viewer: false,
      retrieval_step: false,
      passphrase_required: false,
      name: '',
      note: '',
    });
  });

  it.each([[{ payload: null }], [{ name: 'Anna' }], [{ payload: '' }], [{ payload: ' \n' }]])(
    'rejects %j, which has no payload',
    async (push) => {
      const { status, body } = await create(push);

      expect(status).toBe(422);
      expect(body).toEqual({ payload: ["can't be blank"] });
    },
  );

  it.each([
    ['passphrase', 255],
    ['name', 255],
    ['note', 2000],
  ])('accepts a %s of %i characters but not a longer one', async (field, max) => {
    const tulips = '\u{1f337}'.repeat(max);

    expect((await create({ payload: 'tulip', [field]: tulips })).status).toBe(201);
    expect(await create({ payload: 'tulip', [field]: `${tulips}a` })).toMatchObject({
      status: 422,
      body: { [field]: [`must have at most ${max} characters`] },
    });
  });

  it('accepts 1,048,576 characters of four bytes each but not one more', async () => {
    const payload = '\u{1f337}'.repeat(1_048_576);
    const { url_token: urlToken } = await running.anonymous.push({ payload });
    const { body } = await running.anonymous.retrieve(urlToken);

    expect(body.payload === payload).toBe(true);
    expect(await create({ payload: `${payload}a` })).toMatchObject({
      status: 422,
      body: { payload: ['must have at most 1048576 characters'] },
    });
  });

  it.each(['payload', 'passphrase', 'name', 'note'])('rejects half a character in %s', async (field) => {
    const { status, body } = await create({ payload: 'tulip', [field]: 'tulip\ud83c' });

    expect(status).toBe(422);
    expect(body).toEqual({ [field]: ['must be well-formed Unicode'] });
  });

  it('ignores unknown fields, inside and outside of push', async () => {
    const { status, body } = await running.anonymous.post('/api/v2/pushes', {
      push: { payload: 'tulip', account_id: 1, workspace_id: { a: [] }, rules: null, '': 1 },
      account_id: 7,
      payload: 'rose',
    });

    expect(status).toBe(201);
    expect((await running.anonymous.retrieve(body.url_token)).body.payload).toBe('tulip');
  });

  it('sets only fields that a caller may set (C11)', async () => {
    const body = await running.anonymous.push({
      payload: 'tulip',
      id: 'mine',
      user_id: owner.id,
      userId: owner.id,
      user: { id: owner.id },
      url_token: 'mine',
      urlToken: 'mine',
      expired: true,
      expired_on: '2020-01-01T00:00:00.000Z',
      expiredOn: '2020-01-01T00:00:00.000Z',
      expires_at: '2020-01-01T00:00:00.000Z',
      expiresAt: '2099-01-01T00:00:00.000Z',
      lifetime: 1e12,
      deleted: true,
      viewsCounted: -5,
      views_counted: -5,
      views_remaining: 99,
      days_remaining: 99,
      created_at: '2020-01-01T00:00:00.000Z',
      rules: { views: { min: 0, max: 1e9 } },
      passphraseSalt: 'AA==',
    });

    expect(body).toMatchObject({ expired: false, deleted: false, views_remaining: 5, days_remaining: 7 });
    expect(body.url_token).toMatch(/^[A-Za-z0-9_-]{22,64}$/);
    expect(Math.abs(Date.parse(body.created_at) - Date.now())).toBeLessThan(60_000);
    expect((await owner.client.get('/api/v2/pushes/active')).body).toEqual([]);
    expect((await owner.client.get(`/api/v2/pushes/${body.url_token}/audit`)).status).toBe(403);
  });

  it('does not modify prototypes (I4)', async () => {
    const { status, body } = await running.anonymous.post(
      '/api/v2/pushes',
      `{"push":{"payload":"tulip","__proto__":{"name":"Mallory","expire_after_views":99},
        "constructor":{"prototype":{"name":"Mallory"}},"toString":1,"hasOwnProperty":null}}`,
    );

    expect(status).toBe(201);
    expect(body).toMatchObject({ name: '', expire_after_views: 5 });
    expect(({} as { name?: string }).name).toBeUndefined();
  });

  it('reads no field from a prototype (I4)', async () => {
    const { status, body } = await running.anonymous.post(
      '/api/v2/pushes',
      '{"push":{"__proto__":{"payload":"tulip"}}}',
    );

    expect(status).toBe(422);
    expect(body).toEqual({ payload: ["can't be blank"] });
  });

  it('never returns the payload or the passphrase in an error', async () => {
    const { body } = await create({
      payload: 'javascript:secretTulip',
      kind: 'url',
      passphrase: 'secretShoe'.repeat(50),
      expire_after_days: 'secretDay',
    });

    expect(Object.keys(body)).toEqual(expect.arrayContaining(['payload', 'passphrase', 'expire_after_days']));
    expect(JSON.stringify(body)).not.toContain('secret');
  });

  it('uses the last value of a duplicate key (I4)', async () => {
    const { body } = await sendRaw(running.url, {
      method: 'POST',
      path: '/api/v2/pushes',
      headers: { 'Content-Type': 'application/json' },
      body: '{"push":{"payload":"rose"},"push":{"payload":"tulip","name":"a","name":"b"}}',
    });

    expect(body.name).toBe('b');
    expect((await running.anonymous.retrieve(body.url_token)).body.payload).toBe('tulip');
  });
});
