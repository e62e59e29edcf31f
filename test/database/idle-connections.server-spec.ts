import { tally } from '../support/audit-kinds.js';
import { allAtOnce } from '../support/concurrent-calls.js';
import { startDatabaseProxy } from '../support/database-proxy.js';
import { eventually } from '../support/eventually.js';
import { forAllTests } from '../support/for-tests.js';
import { makeInstance } from '../support/instance.js';
import { server } from '../support/server-database.js';
import { startApp } from '../support/start-app.js';

const CONNECTIONS = 10;

/** The app checks connections that have been idle for half as long. */
const FORGOTTEN_AFTER_MS = 1000;

describe('A firewall that silently forgets idle connections to the database', () => {
  const instance = forAllTests(makeInstance);
  const proxy = forAllTests(() => startDatabaseProxy(instance));
  const running = forAllTests(() => startApp({}, { instance: proxy.instance }));

  const statuses = async (call: (caller: number) => Promise<{ status: number }>) =>
    tally((await allAtOnce(CONNECTIONS, call)).map(({ status }) => status));

  /** Uses all connections of the pool, and waits until the proxy has forgotten them. */
  async function forgetAll(): Promise<void> {
    proxy.forgetIdle(Infinity);
    await allAtOnce(CONNECTIONS, () => running.dataSource.query(server.sleep(0.1)));
    proxy.forgetIdle(FORGOTTEN_AFTER_MS);
    await eventually(() => proxy.forgotten() >= CONNECTIONS - 1);
  }

  it('makes no request fail: reads, creations and retrievals', async () => {
    const tokens = await allAtOnce(CONNECTIONS, async () => {
      const { url_token } = await running.anonymous.push({ payload: 'tulip', expire_after_views: 1 });
      return url_token;
    });

    await forgetAll();
    expect(await statuses(() => running.anonymous.get(`/api/v2/pushes/${tokens[0]}/preview`))).toEqual({
      200: CONNECTIONS,
    });
    await forgetAll();
    expect(
      await statuses(() => running.anonymous.post('/api/v2/pushes', { push: { payload: 'rose' } })),
    ).toEqual({ 201: CONNECTIONS });
    await forgetAll();
    const retrieved = await allAtOnce(CONNECTIONS, (caller) =>
      running.anonymous.retrieve(tokens[caller] ?? ''),
    );
    expect(retrieved.map(({ body }) => body.payload)).toEqual(Array(CONNECTIONS).fill('tulip'));
  });

  it('makes one statement wait once, and not once for each connection', async () => {
    await forgetAll();
    await running.dataSource.query('SELECT 1');

    expect(proxy.forgotten()).toBe(0);
  });
});
