import { forAllTests } from '../support/for-tests.js';
import { multipart, MULTIPART, part } from '../support/multipart.js';
import { sendRaw } from '../support/send-raw.js';
import { startApp } from '../support/start-app.js';

const JSON_TYPE = { 'Content-Type': 'application/json' };
const FORM_TYPE = { 'Content-Type': 'application/x-www-form-urlencoded' };

type Encode = (push: Record<string, string>) => object;

const entries = (push: Record<string, string>) =>
  Object.entries(push).map(([field, value]) => [`push[${field}]`, value] as [string, string]);

const encodings: [string, Encode][] = [
  ['JSON', (push) => ({ push })],
  ['an urlencoded form', (push) => new URLSearchParams(entries(push))],
  [
    'a multipart form',
    (push) => {
      const form = new FormData();
      for (const [field, value] of entries(push)) form.append(field, value);
      return form;
    },
  ],
];

describe('POST /api/v2/pushes', () => {
  const running = forAllTests(startApp);
  const post = (headers: Record<string, string>, body: string | Buffer) =>
    sendRaw(running.url, { method: 'POST', path: '/api/v2/pushes', headers, body });
  const payloadOf = async ({ status, body }: { status: number; body: any }) => {
    expect(status).toBe(201);
    return (await running.anonymous.retrieve(body.url_token)).body.payload as string;
  };

  describe.each(encodings)('in %s', (_name, encode) => {
    const create = (push: Record<string, string>) => running.anonymous.post('/api/v2/pushes', encode(push));

    it('accepts every field as text', async () => {
      const { status, body } = await create({
        payload: 'tulip',
        kind: 'text',
        expire_after_days: '3',
        expire_after_views: '2',
        deletable_by_viewer: 'on',
        retrieval_step: 'Yes',
        passphrase: 'wooden shoe',
        name: 'Anna',
        note: 'shed',
      });

      expect(status).toBe(201);
      expect(body).toMatchObject({
        kind: 'text',
        expire_after_days: 3,
        expire_after_views: 2,
        deletable_by_viewer: true,
        retrieval_step: true,
        passphrase_required: true,
        name: 'Anna',
        note: 'shed',
      });
    });

    it.each([
      ['true', true],
      ['ON', true],
      ['yes', true],
      ['1', true],
      ['checked', true],
      ['false', false],
      ['Off', false],
      ['no', false],
      ['0', false],
      ['', false],
    ])('parses the boolean "%s" as %p', async (text, value) => {
      const { body } = await create({ payload: 'tulip', deletable_by_viewer: text, retrieval_step: text });

      expect(body).toMatchObject({ deletable_by_viewer: value, retrieval_step: value });
    });

    it('rejects invalid booleans and integers', async () => {
      const wrong = {
        retrieval_step: 'perhaps',
        expire_after_days: '7.5',
        expire_after_views: ' ',
      };
      const { status, body } = await create({ payload: 'tulip', ...wrong });

      expect(status).toBe(422);
      expect(body).toEqual({
        retrieval_step: ['must be true or false'],
        expire_after_days: ['must be a whole number from 1 to 90'],
        expire_after_views: ['must be a whole number from 1 to 100'],
      });
    });

    it('preserves every character of the payload', async () => {
      const payload = ' a+b &=%41[]"\u{1f337}\u0000\t\u00e9\ufffd;\u202e ';

      expect(await payloadOf(await create({ payload }))).toBe(payload);
    });

    it('accepts a payload of a million characters', async () => {
      const payload = '\u20ac'.repeat(1_048_576);

      expect((await payloadOf(await create({ payload }))) === payload).toBe(true);
    });
  });

  it.each([
    ['with brackets as they are', 'push[payload]=a+tulip&push[name]=%C3%A9'],
    ['with brackets encoded', 'push%5Bpayload%5D=a%20tulip&push%5Bname%5D=%c3%a9'],
  ])('reads an urlencoded form %s', async (_name, form) => {
    const answer = await post(FORM_TYPE, form);

    expect(answer.body.name).toBe('\u00e9');
    expect(await payloadOf(answer)).toBe('a tulip');
  });

  it('reads a body without a Content-Type as an urlencoded form', async () => {
    expect(await payloadOf(await post({}, 'push[payload]=tulip'))).toBe('tulip');
  });

  it.each([['application/json; charset=utf-8'], ['Application/JSON'], ['application/json ;charset="UTF-8"']])(
    'reads JSON of type %s',
    async (type) => {
      expect(await payloadOf(await post({ 'Content-Type': type }, '{"push":{"payload":"\u00e9"}}'))).toBe(
        '\u00e9',
      );
    },
  );

  it('reads fields of a multipart form with their own type and charset', async () => {
    const field = part('push[payload]', '\u00e9', '\r\nContent-Type: text/plain; charset=UTF-8');

    expect(await payloadOf(await post(MULTIPART, multipart(field)))).toBe('\u00e9');
  });

  it.each([
    ['JSON', JSON_TYPE, '{"push":{"payload":"tulip"}}'],
    ['form', FORM_TYPE, 'push[payload]=tulip'],
    ['multipart', MULTIPART, multipart(part('push[payload]', 'tulip'))],
  ])('reads a %s body that is declared as uncompressed', async (_name, type, body) => {
    const answer = await post({ ...type, 'Content-Encoding': 'Identity' }, body);

    expect(await payloadOf(answer)).toBe('tulip');
  });

  it.each(['us-ascii', 'UTF-8', '"utf-8"'])('reads a form in the charset %s', async (charset) => {
    const type = { 'Content-Type': `application/x-www-form-urlencoded; charset=${charset}` };

    expect(await payloadOf(await post(type, 'push[payload]=tulip'))).toBe('tulip');
  });

  it.each([
    'text/plain',
    'application/xml',
    'application/jsonp',
    'application/vnd.api+json',
    'application/octet-stream',
    'nonsense',
  ])('rejects a body of type %s', async (type) => {
    const { status, body } = await post({ 'Content-Type': type }, '{"push":{"payload":"tulip"}}');

    expect(status).toBe(400);
    expect(body).toEqual({
      error:
        'The Content-Type must be application/json, application/x-www-form-urlencoded or multipart/form-data.',
    });
  });
});
