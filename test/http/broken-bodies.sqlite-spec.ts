import { forAllTests } from '../support/for-tests.js';
import { multipart, MULTIPART, part } from '../support/multipart.js';
import { sendRaw } from '../support/send-raw.js';
import { startApp } from '../support/start-app.js';
import { MIB } from '../../src/platform/settings/units.js';

const JSON_TYPE = { 'Content-Type': 'application/json' };
const FORM_TYPE = { 'Content-Type': 'application/x-www-form-urlencoded' };

const NOT_WELL_FORMED = { error: 'The body is not well-formed.' };
const NOT_UTF8 = { error: 'The body is not UTF-8: encode its text as UTF-8.' };
const NO_PUSH = { error: 'The body must have an object "push" with the fields of the push.' };
const DEPTH = 100_000;

describe('POST /api/v2/pushes', () => {
  const running = forAllTests(startApp);
  const post = (headers: Record<string, string>, body?: string | Buffer) =>
    sendRaw(running.url, { method: 'POST', path: '/api/v2/pushes', headers, body });

  it.each([
    '{',
    '{"push":{"payload":"secretTulip"',
    "{'push':1}",
    'secretTulip',
    '[1,]',
    '{"push":NaN}',
    '\u0000',
  ])('rejects the malformed JSON %j without quoting it', async (text) => {
    const { status, body } = await post(JSON_TYPE, text);

    expect(status).toBe(400);
    expect(body).toEqual(NOT_WELL_FORMED);
  });

  it.each([
    'null',
    '[]',
    '7',
    '"push"',
    '{}',
    '{"push":null}',
    '{"push":{}}',
    '{"push":[]}',
    '{"push":[{"payload":"tulip"}]}',
    '{"push":"tulip"}',
    '{"push":7}',
    '{"push":true}',
    '[{"push":{"payload":"tulip"}}]',
    '{"payload":"tulip"}',
    '{"__proto__":{"push":{"payload":"tulip"}}}',
    '{"Push":{"payload":"tulip"}}',
  ])('rejects the JSON %s, which has no push', async (text) => {
    const { status, body } = await post(JSON_TYPE, text);

    expect(status).toBe(400);
    expect(body).toEqual(NO_PUSH);
  });

  it('rejects a form with an incomplete percent-encoding', async () => {
    expect(await post(FORM_TYPE, 'push[payload]=%C3%A9%E')).toMatchObject({
      status: 400,
      body: NOT_WELL_FORMED,
    });
  });

  it.each(['', 'push=tulip', 'push[]=tulip', 'payload=tulip', '__proto__[push][payload]=tulip', '&&&', '='])(
    'rejects the form "%s", which has no push',
    async (text) => {
      const { status, body } = await post(FORM_TYPE, text);

      expect(status).toBe(400);
      expect(body).toEqual(NO_PUSH);
    },
  );

  it.each([
    ['JSON', JSON_TYPE],
    ['a form', FORM_TYPE],
    ['nothing', {}],
  ])('rejects an empty body declared as %s', async (_name, headers) => {
    expect(await post(headers)).toMatchObject({ status: 400, body: NO_PUSH });
  });

  it('rejects an empty multipart form', async () => {
    expect(await post(MULTIPART, multipart())).toMatchObject({ status: 400, body: NO_PUSH });
  });

  it.each([
    ['{"push":', '}'],
    ['{"push":{"payload":"tulip","x":', '}}'],
    ['{"push":{"payload":', '}}'],
  ])(
    'keeps running when JSON is nested a hundred thousand levels deep within %s (I4)',
    async (before, after) => {
      const arrays = before + '['.repeat(DEPTH) + ']'.repeat(DEPTH) + after;
      const objects = `${before}${'{"push":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}${after}`;

      for (const text of [arrays, objects]) expect((await post(JSON_TYPE, text)).status).toBeLessThan(500);
      expect((await post(JSON_TYPE, '{"push":{"payload":"tulip"}}')).status).toBe(201);
    },
  );

  it('rejects a form nested too deep (I4)', async () => {
    const { status, body } = await post(FORM_TYPE, `push[payload]=tulip&push${'[a]'.repeat(200)}=1`);

    expect(status).toBe(400);
    expect(body).toEqual(NOT_WELL_FORMED);
  });

  it.each([
    ['JSON', JSON_TYPE, Buffer.from('{"push":{"payload":"tulip\xff"}}', 'latin1')],
    [
      'JSON with an incomplete character',
      JSON_TYPE,
      Buffer.from('{"push":{"payload":"tulip\xc3"}}', 'latin1'),
    ],
    ['a form', FORM_TYPE, Buffer.from('push[payload]=tulip\xff', 'latin1')],
    ['a percent-encoded form', FORM_TYPE, 'push[payload]=%C3%A9%FF'],
    ['a multipart form', MULTIPART, multipart(part('push[payload]', Buffer.from('tulip\xff', 'latin1')))],
    ...['\xff', '\xc3'].map((end): [string, Record<string, string>, Buffer] => [
      'a multipart form of megabytes',
      MULTIPART,
      multipart(part('push[note]', Buffer.from('\xc3\xa9'.repeat(MIB) + end, 'latin1'))),
    ]),
    [
      'a multipart form with a charset',
      MULTIPART,
      multipart(part('push[payload]', Buffer.from([0xc3]), '\r\nContent-Type: text/plain; charset=utf-8')),
    ],
  ])('rejects %s that is not UTF-8 instead of changing the secret', async (_name, headers, bytes) => {
    const { status, body } = await post(headers, bytes);

    expect(status).toBe(400);
    expect(body).toEqual(NOT_UTF8);
  });

  it.each([
    ['has no boundary', { 'Content-Type': 'multipart/form-data' }, multipart(part('push[payload]', 'tulip'))],
    ...['; a', ';', '; a="', '; boundary'].map((rest): [string, Record<string, string>, Buffer] => [
      `has ${rest} after the boundary`,
      { 'Content-Type': MULTIPART['Content-Type'] + rest },
      multipart(part('push[payload]', 'tulip')),
    ]),
    ['is something else', MULTIPART, 'tulip'],
    ['ends too early', MULTIPART, part('push[payload]', 'tulip')],
    [
      'has a broken part',
      MULTIPART,
      multipart(Buffer.from('--a-boundary\r\nContent-Disposition\r\n\r\na\r\n')),
    ],
    ['has a part without a name', MULTIPART, multipart(part('', 'tulip'))],
  ])('rejects a multipart form that %s', async (_name, headers, bytes) => {
    const { status, body } = await post(headers, bytes);

    expect(status).toBe(400);
    expect(body).toEqual(NOT_WELL_FORMED);
  });

  it.each([
    ['payload', [part('push[payload]', 'a'), part('push[payload]', 'b')]],
    ['payload', [part('push[payload]', 'a'), part('push[payload][x]', 'b')]],
    ['payload', [part('push[payload][0]', 'a')]],
  ])('rejects a multipart form whose %s is not text, as in case %#', async (field, parts) => {
    const { status, body } = await post(MULTIPART, multipart(...parts));

    expect(status).toBe(422);
    expect(body).toEqual({ [field]: ['must be a string'] });
  });

  it('does not let a multipart form change a prototype (I4)', async () => {
    const hostile = [
      'push[__proto__][name]',
      '__proto__[name]',
      'push[constructor][prototype][name]',
      'toString',
    ];
    const parts = hostile.map((name) => part(name, 'Mallory'));
    const { status, body } = await post(MULTIPART, multipart(part('push[payload]', 'tulip'), ...parts));

    expect(status).toBe(201);
    expect(body.name).toBe('');
    expect(({} as { name?: string }).name).toBeUndefined();
  });
});
