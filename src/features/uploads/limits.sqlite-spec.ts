import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { FileStore, StoreUnavailable } from '../../files/file-store.js';
import { KIB, MIB } from '../../platform/settings/units.js';
import { ageFile, clientEncryptedPush } from '../../../test/support/age-files.js';
import type { Client } from '../../../test/support/client.js';
import { eventually } from '../../../test/support/eventually.js';
import { forAllTests, forThisTest } from '../../../test/support/for-tests.js';
import { ask } from '../../../test/support/requests.js';
import { startApp } from '../../../test/support/start-app.js';
import type { TusUpload } from '../../../test/support/tus.js';
import { beginUpload, tryToBegin, upload, UPLOADS } from '../../../test/support/tus.js';
import { PartialUpload } from './upload.entity.js';

describe('Who may upload in parts', () => {
  it('is who may attach files', async () => {
    const running = await forThisTest(startApp());

    expect((await tryToBegin(running.anonymous, 5)).status).toBe(401);
    expect((await tryToBegin(running.anonymous.with({ Authorization: 'Bearer x' }), 5)).status).toBe(401);
  });

  it('is everyone where files need no account, each with the id of the upload', async () => {
    const running = await forThisTest(startApp({ FILES_REQUIRE_AUTHENTICATION: 'false' }));
    const done = await upload(running.anonymous, 'tulip');
    const { client } = await running.newUser();

    expect((await done.by(client).head()).status).toBe(200);
    expect((await running.anonymous.post('/api/v2/pushes', { push: { uploads: [done.id] } })).status).toBe(
      201,
    );
  });

  it('is nobody where files are disabled, or nothing may be created', async () => {
    const without = await forThisTest(startApp({ ENABLE_FILE_PUSHES: 'false' }));
    const { client } = await without.newUser();
    expect((await tryToBegin(client, 5)).status).toBe(422);
    const { status, body } = await client.post('/api/v2/pushes', { push: { payload: 'x', uploads: ['x'] } });
    expect([status, body]).toEqual([
      422,
      { uploads: ['cannot be attached: file pushes are disabled here'], kind: [expect.any(String)] },
    ]);
  });

  it('is not who is elsewhere than CREATORS', async () => {
    const running = await forThisTest(startApp({ CREATORS: '192.0.2.0/24' }));

    expect((await tryToBegin((await running.newUser()).client, 5)).status).toBe(403);
  });
});

describe('Uploads in parts are limited', () => {
  const running = forAllTests(() =>
    startApp({
      FILES_REQUIRE_AUTHENTICATION: 'false',
      TRUSTED_PROXIES: '127.0.0.1',
      MAX_OPEN_UPLOADS: '10',
      MAX_FILE_SIZE: String(MIB),
      MAX_PUSH_SIZE: String(MIB + 10),
    }),
  );
  const from = (ip: string) => running.anonymous.with({ 'X-Forwarded-For': ip });

  it('in number, by account or by client network (I1)', async () => {
    const { client } = await running.newUser();
    for (const [one, same] of [
      [client, client],
      [from('192.0.2.1'), from('192.0.2.1')],
      [from('2001:db8::1'), from('2001:db8::2')],
    ] as const) {
      const begun = [];
      for (let i = 0; i < 10; i++) begun.push(await beginUpload(one, 5));
      const refused = await tryToBegin(same, 5);
      expect(refused).toMatchObject({
        status: 429,
        body: { error: 'At most 10 uploads can wait for their push. Use or end one first.' },
      });
      expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
      await begun[0]?.end();
      expect((await tryToBegin(same, 5)).status).toBe(201);
    }
    expect((await tryToBegin(from('192.0.2.2'), 5)).status).toBe(201);
    expect((await tryToBegin(from('2001:db8:0:1::1'), 5)).status).toBe(201);
  });

  it('in size, one by one and together, whatever was said at the beginning (F2)', async () => {
    const { client } = await running.newUser();
    expect(await tryToBegin(client, 2 * MIB)).toMatchObject({
      status: 413,
      body: { error: `must have at most ${MIB} bytes each` },
    });
    const [large, small] = [await upload(client, randomBytes(MIB)), await upload(client, 'eleven byte')];
    const { status, body } = await client.post('/api/v2/pushes', { push: { uploads: [large.id, small.id] } });

    expect(status).toBe(422);
    expect(body.files).toEqual([`must have at most ${MIB + 10} bytes in all`]);
    expect((await client.post('/api/v2/pushes', { push: { uploads: [large.id] } })).status).toBe(201);
  });

  it('in the number of tiny parts (F2)', async () => {
    const { client } = await running.newUser();
    const begun = await beginUpload(client, 100_000);
    await running.query('UPDATE uploads SET appends = 999');
    expect((await begun.part(0, 'x')).status).toBe(204);

    expect(await begun.part(1, 'x')).toMatchObject({ status: 400, body: { error: expect.any(String) } });
  });

  it('to the size of a file before its client has encrypted it', async () => {
    const { client } = await running.newUser();
    const done = await upload(client, ageFile(MIB));
    const proof = randomBytes(32).toString('base64url');
    const encrypted = { ...clientEncryptedPush(), passphrase: proof };
    const create = (fields: object) =>
      client.post('/api/v2/pushes', { push: { ...fields, uploads: [done.id] } });

    expect((await create({})).status).toBe(422);
    expect((await create({ ...encrypted, kind: 'file' })).status).toBe(201);
    const plain = await upload(client, 'tulip');
    const { status, body } = await client.post('/api/v2/pushes', {
      push: { ...encrypted, kind: 'file', uploads: [plain.id] },
    });
    expect([status, Object.keys(body)]).toEqual([422, ['files']]);
  });
});

describe('The quota of an account', () => {
  it('counts uploads that wait, and those that a push takes', async () => {
    const running = await forThisTest(startApp({ UPLOAD_BYTES_PER_DAY: '100' }));
    const { client } = await running.newUser();
    const one = await upload(client, 'x'.repeat(60));
    const create = (id: string) => client.post('/api/v2/pushes', { push: { uploads: [id] } });

    expect((await tryToBegin(client, 41)).status).toBe(429);
    const two = await upload(client, 'x'.repeat(40));
    expect((await create(one.id)).status).toBe(201);
    expect((await tryToBegin(client, 1)).status).toBe(429);
    expect((await create(two.id)).status).toBe(201);
    expect((await tryToBegin(client, 1)).status).toBe(429);
  });
});

describe('A part of an upload', () => {
  const running = forAllTests(() => startApp());
  const user = forAllTests(() => running.newUser());

  it('of which the connection breaks keeps what has arrived, also of a chunk', async () => {
    const content = randomBytes(200_000);
    const begun = await beginUpload(user.client, content.length);
    const { sending } = begun.beginPart(0, content.length, content.subarray(0, 100_001));
    const [socket] = (await once(sending, 'socket')) as [Socket];
    socket.end();
    await eventually(async () => (await begun.offset()) === 100_001);

    await begun.sendRest(content);
    const { status } = await user.client.post('/api/v2/pushes', { push: { uploads: [begun.id] } });
    expect(status).toBe(201);
  });

  it('that says nothing for seconds lets another go on, and is refused when it speaks again', async () => {
    const content = randomBytes(200_000);
    const begun = await beginUpload(user.client, content.length);
    const silent = begun.beginPart(0, content.length, content.subarray(0, 70_000));
    await eventually(async () => (await begun.offset()) === 70_000);
    expect((await begun.part(70_000, content.subarray(70_000))).status).toBe(204);
    silent.sending.end(content.subarray(70_000));

    expect(await silent.status).toBe(423);
    expect((await user.client.post('/api/v2/pushes', { push: { uploads: [begun.id] } })).status).toBe(201);
  });

  it('goes on after a silence in which nobody else does', async () => {
    const content = randomBytes(200_000);
    const begun = await beginUpload(user.client, content.length);
    const silent = begun.beginPart(0, content.length, content.subarray(0, 70_000));
    await eventually(async () => (await begun.offset()) === 70_000);
    silent.sending.end(content.subarray(70_000));

    expect(await silent.status).toBe(204);
  });

  it('waits for one that is still arriving', async () => {
    const begun = await beginUpload(user.client, MIB);
    const first = begun.beginPart(0, MIB, randomBytes(KIB));
    await eventually(async () => Boolean((await uploadRow(begun))?.appender));
    expect(await begun.part(0, 'x')).toMatchObject({ status: 423, body: { error: expect.any(String) } });
    first.sending.destroy();
  });

  const uploadRow = ({ url }: TusUpload) =>
    url === ''
      ? null
      : running.dataSource.manager.findOne(PartialUpload, { where: {}, order: { id: 'DESC' } });

  it('that cannot be stored is refused, and can be sent again', async () => {
    const begun = await beginUpload(user.client, 100_000);
    const store = running.app.get(FileStore);
    jest.spyOn(store, 'append').mockRejectedValueOnce(new StoreUnavailable(new Error('full'), true));
    expect((await begun.part(0, randomBytes(100_000))).status).toBe(503);

    expect((await begun.part(0, randomBytes(100_000))).status).toBe(204);
  });
});

describe('A push whose uploads are not one file yet', () => {
  const running = forAllTests(() => startApp());
  const user = forAllTests(() => running.newUser());
  const create = (id: string) => user.client.post('/api/v2/pushes', { push: { uploads: [id] } });
  /** As while another process puts it together. */
  const hold = (appendUntil: number) =>
    running.query("UPDATE uploads SET appender = 'another', append_until = ?", [appendUntil]);

  it('waits for who makes it one', async () => {
    const { id } = await upload(user.client, 'tulip');
    await hold(Date.now() + 9000);
    const read = jest.spyOn(running.dataSource.getRepository(PartialUpload), 'findOneBy');
    const creating = create(id);
    await eventually(() => read.mock.calls.length > 0);
    await running.query('UPDATE uploads SET appender = NULL, append_until = 0');

    expect((await creating).status).toBe(201);
  });

  it('is refused after some seconds, and may be sent again', async () => {
    const { id } = await upload(user.client, 'tulip');
    await hold(Date.now() + 15_000);
    const { status, headers, body } = await create(id);

    expect([status, headers.get('Retry-After')]).toEqual([503, '5']);
    expect(body).toEqual({
      error: 'What was uploaded is still being put together. Try again in a few seconds.',
    });
    await hold(0);
    expect((await create(id)).status).toBe(201);
  });
});

describe('Uploads for an answer to a request', () => {
  const running = forAllTests(() => startApp({ ENABLE_REQUESTS_API: 'true', ANSWERS_PER_MINUTE: '0' }));
  const owner = forAllTests(() => running.newUser());

  it('need only its link, and are taken by the answer', async () => {
    const { url_token } = await ask(owner.client, { response_file_attachments: true });
    const done = await upload(running.anonymous, 'tulip', { filename: 'a.txt', request: url_token });
    const respond = () =>
      running.anonymous.post(`/api/v2/requests/${url_token}/respond`, { request: { uploads: [done.id] } });

    expect((await running.anonymous.post('/api/v2/pushes', { push: { uploads: [done.id] } })).status).toBe(
      401,
    );
    expect((await respond()).status).toBe(201);
    const again = await owner.client.post('/api/v2/pushes', { push: { uploads: [done.id] } });
    expect(again.status).toBe(422);
  });

  const openRequest = async (client: Client) =>
    (await ask(client, { response_file_attachments: true })).url_token;

  it('need an open one that takes files', async () => {
    const { url_token } = await ask(owner.client, { response_file_attachments: true });
    await owner.client.delete(`/api/v2/requests/${url_token}`);

    expect((await tryToBegin(running.anonymous, 5, { request: url_token })).status).toBe(410);
    expect((await tryToBegin(running.anonymous, 5, { request: 'x'.repeat(43) })).status).toBe(404);
  });

  it('are all that a gateway begins', async () => {
    const gateway = await forThisTest(
      startApp({
        ROLE: 'gateway',
        MASTER_KEYS: randomBytes(32).toString('base64'),
        ENABLE_REQUESTS_API: 'true',
      }),
    );

    expect((await tryToBegin(gateway.anonymous, 5)).status).toBe(404);
    expect((await gateway.anonymous.send('OPTIONS', UPLOADS)).status).toBe(404);
  });

  it('do not count as answers in a minute', async () => {
    const usual = await forThisTest(startApp({ ENABLE_REQUESTS_API: 'true' }));
    const request = await openRequest((await usual.newUser()).client);
    const uploads = [];
    for (let i = 0; i < 10; i++) {
      const { id } = await upload(usual.anonymous, 'tulip', { filename: `${i}`, request });
      uploads.push(id);
    }
    const answer = { request: { uploads } };

    expect((await usual.anonymous.post(`/api/v2/requests/${request}/respond`, answer)).status).toBe(201);
  });

  it('have the limits of the request together, and of the account that asked (F2)', async () => {
    const limited = await forThisTest(
      startApp({ ENABLE_REQUESTS_API: 'true', MAX_REQUEST_SIZE: '100', UPLOAD_BYTES_PER_DAY: '150' }),
    );
    const { client } = await limited.newUser();
    const [one, two] = [await openRequest(client), await openRequest(client)];
    const begin = (request: string, length: number) => tryToBegin(limited.anonymous, length, { request });
    const done = await upload(limited.anonymous, 'x'.repeat(60), { filename: 'a', request: one });

    expect((await begin(one, 41)).status).toBe(422);
    expect((await begin(one, 40)).status).toBe(201);
    expect((await begin(one, 1)).status).toBe(422);
    const answer = { request: { uploads: [done.id] } };
    expect((await limited.anonymous.post(`/api/v2/requests/${one}/respond`, answer)).status).toBe(201);
    expect((await begin(two, 91)).status).toBe(429);
    expect((await begin(two, 90)).status).toBe(201);
  });
});
