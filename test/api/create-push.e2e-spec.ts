import { forAllTests } from '../support/for-tests.js';
import { startApp } from '../support/start-app.js';
import { DAY_MS } from '../../src/platform/settings/units.js';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('POST /api/v2/pushes', () => {
  const running = forAllTests(startApp);
  const owner = forAllTests(() => running.newUser());

  it('creates a push with the defaults of the instance and returns all of its fields', async () => {
    const { status, body } = await running.anonymous.post('/api/v2/pushes', { push: { payload: 'tulip' } });

    expect(status).toBe(201);
    expect(body).toEqual({
      expire_after_views: 5,
      expired: false,
      url_token: expect.stringMatching(/^[A-Za-z0-9_-]{22,64}$/),
      deletable_by_viewer: false,
      retrieval_step: false,
      expired_on: null,
      passphrase: null,
      created_at: expect.stringMatching(TIME),
      updated_at: body.created_at,
      expire_after_days: 7,
      days_remaining: 7,
      views_remaining: 5,
      deleted: false,
      json_url: `${running.url}/api/v2/pushes/${body.url_token}`,
      html_url: `${running.url}/p/${body.url_token}`,
      kind: 'text',
      expires_at: expect.stringMatching(TIME),
      passphrase_required: false,
      name: '',
      note: '',
    });
    expect(Date.parse(body.expires_at) - Date.parse(body.created_at)).toBe(7 * DAY_MS);
  });

  it('creates a push with all requested fields', async () => {
    const requested = {
      payload: 'tulip',
      kind: 'text',
      expire_after_days: 3,
      expire_after_views: 2,
      deletable_by_viewer: true,
      retrieval_step: true,
      hides_contents: true,
      passphrase: 'wooden shoe',
      name: 'For Anna',
      note: 'the shed',
    };
    const body = await owner.client.push(requested);

    const { payload, passphrase, ...returned } = requested;
    expect(body).toMatchObject({
      ...returned,
      passphrase: null,
      passphrase_required: true,
      days_remaining: 3,
      views_remaining: 2,
      html_url: `${running.url}/p/${body.url_token}/r`,
    });
    expect(JSON.stringify(body)).not.toContain(passphrase);
    expect((await running.anonymous.retrieve(body.url_token, passphrase)).body).toMatchObject({ payload });
  });

  it('returns name and note to the creator and the owner only', async () => {
    const { url_token: urlToken } = await owner.client.push({ payload: 'tulip', name: 'Anna', note: 'shed' });

    const { body: active } = await owner.client.get('/api/v2/pushes/active');
    const { body: retrieved } = await running.anonymous.retrieve(urlToken);

    expect(active[0]).toMatchObject({ url_token: urlToken, name: 'Anna', note: 'shed' });
    expect(Object.keys(retrieved)).toEqual(expect.not.arrayContaining(['name', 'note']));
  });

  it('gives each push a unique token', async () => {
    const make = () => running.anonymous.push({ payload: 'tulip' });

    const created = await Promise.all(Array.from({ length: 20 }, make));
    expect(new Set(created.map(({ url_token }) => url_token)).size).toBe(20);
  });

  it.each([
    ['text', 'tulip'],
    ['url', 'https://example.org/'],
    ['qr', 'tulip'],
  ])('creates a push of kind %s', async (kind, payload) => {
    const { url_token: urlToken, kind: returned } = await running.anonymous.push({ kind, payload });

    expect(returned).toBe(kind);
    expect((await running.anonymous.retrieve(urlToken)).body).toMatchObject({ kind, payload, files: [] });
  });

  it.each(['TEXT', 'link', ' ', 'constructor'])('rejects the kind "%s"', async (kind) => {
    const { status, body } = await running.anonymous.post('/api/v2/pushes', {
      push: { payload: 'tulip', kind },
    });

    expect(status).toBe(422);
    expect(body).toEqual({ kind: ['must be one of those enabled here: text, file, url, qr'] });
  });

  it('stores a payload unchanged', async () => {
    const payload = ' \r\n\t<script>&amp;\u0000\u{1f331} e\u0301 \ufeff"\\ %41 ';
    const { url_token: urlToken } = await running.anonymous.push({ payload });

    expect((await running.anonymous.retrieve(urlToken)).body.payload).toBe(payload);
  });

  it('treats an empty passphrase as absent', async () => {
    const { url_token: urlToken, passphrase_required: isProtected } = await running.anonymous.push({
      payload: 'tulip',
      passphrase: '',
    });

    expect(isProtected).toBe(false);
    expect((await running.anonymous.retrieve(urlToken)).body.payload).toBe('tulip');
  });
});

describe('POST /api/v2/pushes with defaults set by the operator', () => {
  const running = forAllTests(() =>
    startApp({
      EXPIRE_AFTER_DAYS_DEFAULT: '2',
      EXPIRE_AFTER_VIEWS_DEFAULT: '9',
      DELETABLE_BY_VIEWER_DEFAULT: 'true',
      RETRIEVAL_STEP_DEFAULT: 'true',
      ENABLE_URL_PUSHES: 'false',
      ENABLE_QR_PUSHES: 'false',
    }),
  );

  it('uses them for fields that are not given', async () => {
    const withDefaults = await running.anonymous.push({ payload: 'tulip' });
    const explicit = await running.anonymous.push({
      payload: 'tulip',
      retrieval_step: false,
      deletable_by_viewer: false,
    });

    expect(withDefaults).toMatchObject({
      expire_after_days: 2,
      expire_after_views: 9,
      deletable_by_viewer: true,
      retrieval_step: true,
    });
    expect(explicit).toMatchObject({ deletable_by_viewer: false, retrieval_step: false });
  });

  it.each(['url', 'qr'])('rejects kind %s when it is disabled', async (kind) => {
    const push = { kind, payload: 'https://example.org/' };
    const { status, body } = await running.anonymous.post('/api/v2/pushes', { push });

    expect(status).toBe(422);
    expect(body).toEqual({ kind: ['must be one of those enabled here: text, file'] });
  });
});
