import { auditKinds } from '../support/audit-kinds.js';
import type { ClientResponse } from '../support/client.js';
import { CreationsService } from '../../src/pushes/create/creations.service.js';
import { forAllTests } from '../support/for-tests.js';
import { someNewPush, someVisitor } from '../support/new-pushes.js';
import { PageClient } from '../support/page-client.js';
import { startApp } from '../support/start-app.js';

const COMPOSED = 'caf\u00e9';
const DECOMPOSED = 'cafe\u0301';

describe('A push with a passphrase', () => {
  const running = forAllTests(startApp);
  const owner = forAllTests(() => running.newUser());

  const share = async (passphrase: string, fields: object = {}): Promise<string> =>
    (await owner.client.push({ payload: 'tulip', passphrase, ...fields })).url_token;

  const retrieveWithHeader = (urlToken: string, header: string, query = ''): Promise<ClientResponse> =>
    running.anonymous.with({ 'X-Push-Passphrase': header }).get(`/api/v2/pushes/${urlToken}${query}`);

  it('opens only with the correct one', async () => {
    const token = await share('horse');
    const missing = await running.anonymous.retrieve(token);
    const wrong = await running.anonymous.retrieve(token, 'Horse');
    const right = await running.anonymous.retrieve(token, 'horse');

    for (const { status, headers, body } of [missing, wrong]) {
      expect(status).toBe(401);
      expect(headers.get('www-authenticate')).toBe('Bearer');
      expect(body).toEqual({
        error: expect.any(String),
        message: expect.any(String),
        status: 'unauthorized',
      });
      expect(JSON.stringify(body)).not.toMatch(/tulip|horse/i);
    }
    expect([right.status, right.body.payload, right.body.passphrase_required]).toEqual([200, 'tulip', true]);
    expect(right.body.passphrase).toBeNull();
  });

  it.each([
    ['spaces', '   '],
    ['zero-width spaces', '\u200b\u200b'],
    ['a filler and an override', '\u3164\u202e'],
  ])('is refused if it is only %s, in every encoding and on the page (L21)', async (_, passphrase) => {
    const json = await owner.client.post('/api/v2/pushes', { push: { payload: 'tulip', passphrase } });
    const fields = { 'push[payload]': 'tulip', 'push[passphrase]': passphrase };
    const form = await owner.client.send('POST', '/api/v2/pushes', new URLSearchParams(fields));
    const page = await new PageClient(running.url).post('/', fields);

    for (const { status, body } of [json, form]) {
      expect(status).toBe(422);
      expect(JSON.stringify(body)).toContain('must have a character that can be seen');
    }
    expect(page.status).toBe(422);
    expect(page.body).toContain('This passphrase has nothing visible.');
  });

  it('that has nothing visible still opens if it is from before that was refused', async () => {
    const creations = running.app.get(CreationsService);
    const { url_token } = await creations.create(someNewPush({ passphrase: '\u200b ' }), someVisitor());

    expect((await running.anonymous.retrieve(url_token, ' ')).status).toBe(401);
    expect((await running.anonymous.retrieve(url_token, '\u200b ')).status).toBe(200);
  });

  it('counts no view for wrong and missing ones, and audits only wrong ones (A10)', async () => {
    const token = await share('horse', { expire_after_views: 1 });
    await running.anonymous.retrieve(token);
    await running.anonymous.retrieve(token, '');
    await running.anonymous.retrieve(token, 'wrong');
    await retrieveWithHeader(token, 'wrong');

    expect((await running.anonymous.retrieve(token, 'horse')).body).toMatchObject({
      payload: 'tulip',
      views_remaining: 0,
      expired: false,
    });
    expect(await auditKinds(owner.client, token)).toEqual([
      'creation',
      'failed_passphrase',
      'failed_passphrase',
      'view',
    ]);
  });

  it('does not require it after it has expired', async () => {
    const token = await share('horse', { expire_after_views: 1 });
    await running.anonymous.retrieve(token, 'horse');
    const expired = { expired: true, payload: null, files: [], passphrase_required: false, passphrase: null };

    for (const passphrase of [undefined, 'wrong', 'horse']) {
      const { status, body } = await running.anonymous.retrieve(token, passphrase);
      expect([status, body]).toMatchObject([200, expired]);
    }
  });

  it('requires it from its owner too', async () => {
    const token = await share('horse');

    expect((await owner.client.retrieve(token)).status).toBe(401);
    expect((await owner.client.retrieve(token, 'wrong')).status).toBe(401);
    expect((await owner.client.retrieve(token, 'horse')).body.payload).toBe('tulip');
  });

  it('never returns it, not even to its creator', async () => {
    const created = await owner.client.push({ payload: 'tulip', passphrase: 'horse' });
    const { body } = await owner.client.get('/api/v2/pushes/active');
    const listed = body.find(({ url_token }: { url_token: string }) => url_token === created.url_token);

    for (const push of [created, listed]) {
      expect(push).toMatchObject({ passphrase: null, passphrase_required: true });
      expect(JSON.stringify(push)).not.toContain('horse');
    }
  });

  it('prefers the header, percent-encoded, to the query (B10)', async () => {
    const token = await share('\u{1F339} 100% a+b');
    const header = encodeURIComponent('\u{1F339} 100% a+b');

    expect((await retrieveWithHeader(token, header)).body.payload).toBe('tulip');
    expect((await retrieveWithHeader(token, header, '?passphrase=wrong')).body.payload).toBe('tulip');
    expect((await retrieveWithHeader(token, header, '?passphrase=a&passphrase=b')).body.payload).toBe(
      'tulip',
    );
    expect((await retrieveWithHeader(token, 'wrong', `?passphrase=${header}`)).status).toBe(401);
    expect((await retrieveWithHeader(token, '', `?passphrase=${header}`)).status).toBe(401);
  });

  it.each(['%', '%zz', '%ff', '%ED%A0%80', '100%'])(
    'rejects the malformed header %s with 400',
    async (header) => {
      const token = await share('horse');
      const { status, body } = await retrieveWithHeader(token, header, '?passphrase=horse');

      expect([status, body]).toEqual([400, { error: expect.any(String) }]);
      expect(await auditKinds(owner.client, token)).toEqual(['creation']);
    },
  );

  it('rejects a repeated query parameter with 400', async () => {
    const token = await share('horse');
    const path = `/api/v2/pushes/${token}?passphrase=horse&passphrase=horse`;
    const { status, body } = await running.anonymous.get(path);

    expect([status, body]).toEqual([400, { error: expect.any(String) }]);
    expect(await auditKinds(owner.client, token)).toEqual(['creation']);
  });

  it.each(['passphrase[]=horse', 'passphrase[a]=horse', 'Passphrase=horse', 'pass=horse'])(
    'does not treat %s as a passphrase',
    async (query) => {
      const token = await share('horse');

      expect((await running.anonymous.get(`/api/v2/pushes/${token}?${query}`)).status).toBe(401);
      expect(await auditKinds(owner.client, token)).toEqual(['creation']);
    },
  );

  it.each([
    [COMPOSED, DECOMPOSED],
    [DECOMPOSED, COMPOSED],
    ['\u212b', '\u00c5'],
  ])('opens with composed and decomposed characters: %j and %j (B7)', async (original, given) => {
    const token = await share(original);

    expect((await running.anonymous.retrieve(token, given)).body.payload).toBe('tulip');
    expect((await retrieveWithHeader(token, encodeURIComponent(given))).body.payload).toBe('tulip');
  });

  it.each([
    ['72 bytes that are the same', 'a'.repeat(72) + 'right', 'a'.repeat(72) + 'wrong'],
    ['254 characters that are the same', 'b'.repeat(254) + '1', 'b'.repeat(254) + '2'],
    ['255 characters of four bytes', '\u{1F339}'.repeat(255), '\u{1F339}'.repeat(254) + '\u{1F33A}'],
    ['the same text before a NUL', 'a\u0000right', 'a\u0000wrong'],
    ['a NUL after a sign', '.\u0000', '.\u0000\u0000'],
    ['a space at its end', 'horse ', 'horse'],
    ['spaces around a sign', ' .  ', ' . '],
    ['special characters of URLs', 'a&b=c#d?e%20f', 'a'],
    ['ligatures', '\ufb01sh', 'fish'],
    ['the word null', 'null', 'undefined'],
  ])('compares all of a passphrase with %s (B7)', async (_, right, wrong) => {
    const token = await share(right);

    expect((await running.anonymous.retrieve(token, wrong)).status).toBe(401);
    expect((await running.anonymous.retrieve(token, right)).body.payload).toBe('tulip');
    expect((await retrieveWithHeader(token, encodeURIComponent(right))).body.payload).toBe('tulip');
  });

  it('responds to a huge one as to any other wrong one (B7)', async () => {
    const token = await share('horse');

    expect((await running.anonymous.retrieve(token, 'h'.repeat(10_000))).status).toBe(401);
    expect((await running.anonymous.retrieve(token, 'horse')).body.payload).toBe('tulip');
  });

  it('has none when it was created with an empty one', async () => {
    const { url_token, passphrase_required } = await owner.client.push({ payload: 'tulip', passphrase: '' });

    expect(passphrase_required).toBe(false);
    expect((await running.anonymous.retrieve(url_token)).body.payload).toBe('tulip');
    expect((await running.anonymous.retrieve(url_token, 'any')).body.payload).toBe('tulip');
  });
});
