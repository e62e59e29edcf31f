import { Push } from '../../src/pushes/push/push.entity.js';
import { CreationsService } from '../../src/pushes/create/creations.service.js';
import type { ClientResponse } from '../support/client.js';
import { allAtOnce } from '../support/concurrent-calls.js';
import { created, encoded, formOf } from '../support/files.js';
import { forAllTests, forEachTest } from '../support/for-tests.js';
import { startWithStore } from '../support/start-with-store.js';
import { startDisk } from '../support/stores.js';
import { DAY_MS } from '../../src/platform/settings/units.js';
import { after, someNewPush, someVisitor } from '../support/new-pushes.js';

const file = (size: number) => [{ name: 'a.bin', content: 'x'.repeat(size) }];
const BODIES: [string, (size: number) => object][] = [
  ['a form', (size) => formOf(file(size))],
  ['JSON', (size) => ({ push: { files: encoded(file(size)) } })],
];

function expectRefused({ status, headers, body }: ClientResponse): void {
  expect([status, body]).toEqual([
    429,
    { error: 'This account may send 1000 bytes of files a day (UTC). Try again tomorrow.' },
  ]);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(86_400);
}

describe('UPLOAD_BYTES_PER_DAY', () => {
  const running = forAllTests(() =>
    startWithStore(startDisk, { LOG_LEVEL: 'error', UPLOAD_BYTES_PER_DAY: '1000' }),
  );
  const user = forEachTest(() => running.newUser());

  const upload = (body: object) => user.client.post('/api/v2/pushes', body);

  it.each(BODIES)(
    'accepts exactly that many bytes in %s, and stores nothing beyond (L16)',
    async (_name, body) => {
      created(await upload(body(600)));
      const before = await running.store.paths();
      expectRefused(await upload(body(401)));
      created(await upload(body(400)));
      expectRefused(await upload(body(1)));

      expect(await running.store.paths()).toHaveLength(before.length + 1);
      expect(await running.dataSource.manager.countBy(Push, { userId: user.id })).toBe(2);
    },
  );

  it('is exact for concurrent requests (L16)', async () => {
    const answers = await allAtOnce(12, (i) => upload((BODIES[i % 2] as (typeof BODIES)[0])[1](300)));

    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array(3).fill(201),
      ...Array(9).fill(429),
    ]);
  });

  it('is not restored by deleting a push', async () => {
    const { url_token } = created(await upload(formOf(file(1000))));
    await user.client.delete(`/api/v2/pushes/${url_token}`);

    expectRefused(await upload(formOf(file(1))));
  });

  it('counts only files, and separately for each account', async () => {
    const other = await running.newUser();
    created(await upload(formOf(file(1000))));

    created(await upload({ push: { payload: 'x'.repeat(5000) } }));
    created(await other.client.post('/api/v2/pushes', formOf(file(1000))));
  });

  it('starts again each day', async () => {
    const pushes = running.app.get(CreationsService);
    const visitor = someVisitor({ userId: user.id });
    const send = (now: Date) => {
      const files = [
        {
          name: 'a',
          contentType: 'text/plain',
          size: 1000,
          content: [Buffer.alloc(1000).toString('base64')],
        },
      ];
      return pushes.create(someNewPush({ files }), visitor, now);
    };
    const now = new Date();
    await send(now);
    await expect(send(now)).rejects.toMatchObject({ status: 429 });
    await send(after(now, DAY_MS));
    await expect(send(after(now, DAY_MS))).rejects.toMatchObject({ status: 429 });
  });

  it('is deleted with its account', async () => {
    created(await upload(formOf(file(10))));
    await running.query('DELETE FROM pushes WHERE user_id = ?', [user.id]);
    await running.query('DELETE FROM users WHERE id = ?', [user.id]);

    expect(await running.query('SELECT * FROM daily_usage WHERE user_id = ?', [user.id])).toEqual([]);
  });
});
