import { API_VERSIONS } from '../support/api-versions.js';
import { field, form, postBytes } from '../support/client-forms.js';
import { forAllTests, forEachTest } from '../support/for-tests.js';
import { startApp } from '../support/start-app.js';

const REFUSAL = { notify_emails_to: ['are not available'] };

const running = forAllTests(startApp);

describe.each(API_VERSIONS)('A push over $version that names mail recipients', ({ path, key }) => {
  const owner = forEachTest(() => running.newUser());

  const send = (target: string, head: string[], body: string | Buffer = '') =>
    postBytes({ url: running.url, token: owner.token }, target, head, body);
  const sendJson = (fields: object) =>
    send(path, ['Content-Type: application/json'], JSON.stringify({ [key]: fields }));
  const sendForm = (text: string) =>
    send(path, ['Content-Type: application/x-www-form-urlencoded'], text.replaceAll('push', key));
  const sendParts = (parts: [string, string][]) =>
    send(
      path,
      ['Content-Type: multipart/form-data; boundary=0123456789abcdef'],
      form(
        '0123456789abcdef',
        parts.map(([name, content]) => field(name.replace('push', key), content)),
      ),
    );
  const expectNothingCreated = async () => {
    expect((await owner.client.get('/api/v2/pushes/active')).body).toEqual([]);
  };

  it.each<[unknown]>([
    ['anna@example.org'],
    ['anna@example.org, bob@example.org'],
    [' anna@example.org '],
    ['no address'],
    [['anna@example.org']],
    [['', 'anna@example.org']],
    [[['anna@example.org']]],
    [{ to: 'anna@example.org' }],
    [17],
    [true],
  ])('is rejected in JSON: %j', async (named) => {
    const { status, body } = await sendJson({ payload: 'tulip', notify_emails_to: named });

    expect([status, body]).toEqual([422, REFUSAL]);
    await expectNothingCreated();
  });

  it.each([
    'push%5Bpayload%5D=tulip&push%5Bnotify_emails_to%5D=anna%40example.org',
    'push[payload]=tulip&push[notify_emails_to]=anna@example.org',
    'push[payload]=tulip&push[notify_emails_to][]=anna@example.org&push[notify_emails_to][]=bob@example.org',
    'push[payload]=tulip&push[notify_emails_to][]=&push[notify_emails_to][]=anna@example.org',
    'push[payload]=tulip&push[notify_emails_to][0]=anna@example.org',
  ])('is rejected in a form: %s', async (text) => {
    const { status, body } = await sendForm(text);

    expect([status, body]).toEqual([422, REFUSAL]);
    await expectNothingCreated();
  });

  it.each(['push[notify_emails_to]', 'push[notify_emails_to][]'])(
    'is rejected in a multipart form: %s',
    async (name) => {
      const { status, body } = await sendParts([
        ['push[payload]', 'tulip'],
        [name, 'anna@example.org'],
      ]);

      expect([status, body]).toEqual([422, REFUSAL]);
      await expectNothingCreated();
    },
  );

  it('is rejected in the query', async () => {
    const query = `${key}%5Bpayload%5D=tulip&${key}%5Bnotify_emails_to%5D=anna%40example.org`;
    const { status, body } = await send(`${path}?${query}`, []);

    expect([status, body]).toEqual([422, REFUSAL]);
    await expectNothingCreated();
  });

  it('is rejected with its locale', async () => {
    const named = { payload: 'tulip', notify_emails_to: 'anna@example.org' };
    const { status, body } = await sendJson({ ...named, notify_emails_to_locale: 'de' });

    expect([status, body]).toEqual([422, { ...REFUSAL, notify_emails_to_locale: ['is not available'] }]);
    await expectNothingCreated();
  });

  it('is rejected together with its other errors', async () => {
    const { status, body } = await sendJson({
      payload: 'tulip',
      expire_after_days: 1000,
      notify_emails_to: 'anna@example.org',
    });

    expect([status, body]).toEqual([422, { ...REFUSAL, expire_after_days: [expect.any(String)] }]);
  });

  it.each<[unknown]>([[undefined], [null], [''], [[]], ['  '], [['']], [[' ', '']]])(
    'is created when the recipients are empty: %j',
    async (empty) => {
      const { status, body } = await sendJson({ payload: 'tulip', notify_emails_to: empty });

      expect(status).toBe(201);
      expect(body).not.toHaveProperty('notify_emails_to');
    },
  );

  it.each([
    'push[payload]=tulip&push[notify_emails_to]=',
    'push[payload]=tulip&push[notify_emails_to][]=',
    'push[payload]=tulip&push[notify_emails_to]=+',
  ])('is created when the recipients in a form are empty: %s', async (text) => {
    expect((await sendForm(text)).status).toBe(201);
  });

  it('is created when the recipients in a multipart form are empty', async () => {
    const { status } = await sendParts([
      ['push[payload]', 'tulip'],
      ['push[notify_emails_to]', ''],
      ['push[notify_emails_to_locale]', ''],
    ]);

    expect(status).toBe(201);
  });
});

describe('A push over another path of v1 that names mail recipients', () => {
  it.each([
    ['/r.json', { url: { payload: 'https://example.org/', notify_emails_to: 'anna@example.org' } }],
    [
      '/f.json',
      { file_push: { files: [{ filename: 'a', content: '' }], notify_emails_to: ['a@b.example'] } },
    ],
  ])('is rejected at %s', async (path, fields) => {
    const { client } = await running.newUser();

    expect(await client.post(path, fields)).toMatchObject({ status: 422, body: REFUSAL });
    expect((await client.get('/p/active.json')).body).toEqual([]);
  });
});
