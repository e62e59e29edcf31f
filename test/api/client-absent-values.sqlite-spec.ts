import { API_VERSIONS } from '../support/api-versions.js';
import type { Part } from '../support/client-forms.js';
import { disposition, field, form, postBytes } from '../support/client-forms.js';
import { forAllTests } from '../support/for-tests.js';
import { startApp } from '../support/start-app.js';

const WORDS = ['None', 'null', 'undefined'];
const LIFETIMES = ['expire_after_days', 'expire_after_views', 'expire_after_duration'];
const DEFAULTS = { kind: 'text', expire_after_days: 7, expire_after_views: 5 };

/** Fields and texts that stand for an absent value. */
const ABSENT_VALUES: [string, string][] = [
  ...[...LIFETIMES, 'kind'].map((name): [string, string] => [name, '']),
  ...LIFETIMES.flatMap((name) => WORDS.map((word): [string, string] => [name, word])),
];

const running = forAllTests(startApp);
const owner = forAllTests(() => running.newUser());

describe.each(API_VERSIONS)('A value that clients of $version send for an absent field', ({ path, key }) => {
  const send = (target: string, head: string[], body: string | Buffer = '') =>
    postBytes({ url: running.url, token: owner.token }, target, head, body);
  const sendJson = (fields: object) =>
    send(path, ['Content-Type: application/json'], JSON.stringify({ [key]: fields }));
  const encoded = (fields: [string, string][]) =>
    fields.map(([name, value]) => `${key}%5B${name}%5D=${encodeURIComponent(value)}`).join('&');
  const sendForm = (fields: [string, string][]) =>
    send(path, ['Content-Type: application/x-www-form-urlencoded'], encoded(fields));
  const sendParts = (parts: Part[]) =>
    send(
      path,
      ['Content-Type: multipart/form-data; boundary=0123456789abcdef'],
      form('0123456789abcdef', parts),
    );

  describe.each(ABSENT_VALUES)(', as %s "%s", is treated as absent', (name, nothing) => {
    it('in JSON', async () => {
      const { status, body } = await sendJson({ payload: 'tulip', [name]: nothing });

      expect([status, body]).toMatchObject([201, DEFAULTS]);
    });

    it('in a form', async () => {
      const { status, body } = await sendForm([
        ['payload', 'tulip'],
        [name, nothing],
      ]);

      expect([status, body]).toMatchObject([201, DEFAULTS]);
    });

    it('in a multipart form', async () => {
      const { status, body } = await sendParts([
        field(`${key}[payload]`, 'tulip'),
        field(`${key}[${name}]`, nothing),
      ]);

      expect([status, body]).toMatchObject([201, DEFAULTS]);
    });

    it('in the query', async () => {
      const query = encoded([
        ['payload', 'tulip'],
        [name, nothing],
      ]);
      const { status, body } = await send(`${path}?${query}`, []);

      expect([status, body]).toMatchObject([201, DEFAULTS]);
    });
  });

  it('in all fields together results in the defaults', async () => {
    const { status, body } = await sendForm([
      ['payload', 'tulip'],
      ['kind', ''],
      ['expire_after_days', 'None'],
      ['expire_after_views', 'undefined'],
      ['expire_after_duration', 'null'],
    ]);

    expect([status, body]).toMatchObject([201, DEFAULTS]);
  });

  it.each(['', ...WORDS])('for days, "%s", lets the duration set the lifetime', async (nothing) => {
    const fields = { payload: 'tulip', expire_after_days: nothing, expire_after_duration: '8' };

    expect([await sendJson(fields), await sendForm(Object.entries(fields))]).toMatchObject([
      { status: 201, body: { expire_after_days: 3 } },
      { status: 201, body: { expire_after_days: 3 } },
    ]);
  });

  it.each(['', ...WORDS])('for the duration, "%s", lets the days set the lifetime', async (nothing) => {
    const fields = { payload: 'tulip', expire_after_days: '2', expire_after_duration: nothing };

    expect([await sendJson(fields), await sendForm(Object.entries(fields))]).toMatchObject([
      { status: 201, body: { expire_after_days: 2 } },
      { status: 201, body: { expire_after_days: 2 } },
    ]);
  });

  it('for the kind results in kind file when there are files', async () => {
    const file = { head: [disposition(`name="${key}[files][]"; filename="a.txt"`)], content: 'tulip' };
    const answers = [
      await sendParts([field(`${key}[kind]`, ''), field(`${key}[payload]`, ''), file]),
      await sendJson({ kind: '', files: [{ filename: 'a.txt', content: 'dHVsaXA=' }] }),
    ];

    for (const { status, body } of answers) expect([status, body.kind]).toEqual([201, 'file']);
  });

  it('that is a word is rejected as a kind, and kept as a secret', async () => {
    for (const word of WORDS) {
      const refused = await sendJson({ payload: 'tulip', kind: word });
      const { body } = await sendForm([
        ['payload', word],
        ['name', word],
      ]);

      expect([refused.status, Object.keys(refused.body as object)]).toEqual([422, ['kind']]);
      expect(body.name).toBe(word);
      expect((await running.anonymous.retrieve(body.url_token)).body.payload).toBe(word);
    }
  });

  it.each(['0', '1.5', 'seven', '-1', '1e1', '7d'])('is not "%s", which is rejected', async (value) => {
    for (const name of LIFETIMES) {
      const { status, body } = await sendForm([
        ['payload', 'tulip'],
        [name, name === 'expire_after_duration' && value === '0' ? '18' : value],
      ]);

      expect([name, status, Object.keys(body as object)]).toEqual([name, 422, [name]]);
    }
  });

  it.each<[string, unknown]>([
    ['a list', []],
    ['an object', {}],
    ['a boolean', false],
  ])('is not %s, which is rejected', async (_name, value) => {
    const { status, body } = await sendJson({
      payload: 'tulip',
      expire_after_days: value,
      expire_after_views: value,
      kind: value,
    });

    expect([status, Object.keys(body as object).sort()]).toEqual([
      422,
      ['expire_after_days', 'expire_after_views', 'kind'],
    ]);
  });
});
