import { setTimeout } from 'node:timers/promises';
import { tally } from '../support/audit-kinds.js';
import { allAtOnce } from '../support/concurrent-calls.js';
import type { DatabaseProxy } from '../support/database-proxy.js';
import { startDatabaseProxy } from '../support/database-proxy.js';
import { eventually } from '../support/eventually.js';
import { forAllTests, forThisTest } from '../support/for-tests.js';
import { makeSqliteInstance } from '../support/instance.js';
import { PostgresServer } from '../support/postgres-server.js';
import { startApp } from '../support/start-app.js';

const CLIENTS = 30;
/** The longest time without a successful write once the address leads to a server that writes. */
const BACK_WITHIN_MS = 3000;

describe('A PostgreSQL server with a synchronous standby', () => {
  const primary = forAllTests(() =>
    PostgresServer.make('synchronous_standby_names=standby', 'wal_level=replica'),
  );
  const folder = forAllTests(makeSqliteInstance);
  let standby: PostgresServer;
  beforeAll(async () => {
    await primary.start();
    standby = await PostgresServer.standbyOf(primary);
    await standby.start();
    await primary.query('CREATE DATABASE sealpush');
  });
  afterAll(() => standby.destroy());

  it('may die under load: its standby has each acknowledged push, shows none twice, and writes within 3 s', async () => {
    const DATABASE_URL = `${primary.url}/sealpush`;
    const proxy = await forThisTest(startDatabaseProxy({ ...folder, env: { ...folder.env, DATABASE_URL } }));
    const running = await forThisTest(startApp({}, { instance: proxy.instance }));
    const push = () =>
      running.anonymous.post('/api/v2/pushes', { push: { payload: 'tulip', expire_after_views: 1 } });
    const acknowledged: string[] = [];
    const seen: string[] = [];
    const lost: number[] = [];
    let lastSuccess = 0;
    let hasMoved = false;
    let isOver = false;
    const client = async () => {
      while (!isOver) {
        const { status, body } = await push();
        if (status !== 201) {
          lost.push(status);
          await setTimeout(20); // as clients wait that get a 503
          continue;
        }
        if (hasMoved && lastSuccess === 0) lastSuccess = performance.now();
        acknowledged.push(body.url_token);
        if (acknowledged.length % 3 > 0) continue;
        const token = body.url_token as string;
        if ((await running.anonymous.retrieve(token)).body.payload === 'tulip') seen.push(token);
      }
    };
    const clients = allAtOnce(CLIENTS, client);
    await eventually(() => acknowledged.length > 5 * CLIENTS);
    await primary.kill();
    await standby.promote();
    proxy.move({ port: standby.port });
    hasMoved = true;
    const movedAt = performance.now();
    await eventually(() => lastSuccess > 0);
    await eventually(() => acknowledged.length > 10 * CLIENTS);
    isOver = true;
    await clients;

    expect(lastSuccess - movedAt).toBeLessThan(BACK_WITHIN_MS);
    expect(tally(lost.map((status) => String(status)))).toEqual({ 503: lost.length });
    const again = await Promise.all(
      acknowledged.map(async (token) => (await running.anonymous.retrieve(token)).body),
    );
    const shown = acknowledged.filter((_, index) => again[index].payload === 'tulip');
    expect(again.filter((body) => body.payload === undefined)).toEqual([]); // each is known
    expect(shown.filter((token) => seen.includes(token))).toEqual([]);
  });
});

/**
 * As in a planned switch in which the old primary goes on as a standby, and the address leads to the new one. Here one server
 * becomes read-only, and another one writes.
 */
describe('A PostgreSQL server that becomes read-only', () => {
  const old = forAllTests(() => PostgresServer.make());
  const folder = forAllTests(makeSqliteInstance);
  let other: PostgresServer;
  let proxy: DatabaseProxy;
  beforeAll(async () => {
    await old.start();
    await old.query('CREATE DATABASE sealpush');
    const DATABASE_URL = `${old.url}/sealpush`;
    proxy = await startDatabaseProxy({ ...folder, env: { ...folder.env, DATABASE_URL } });
  });
  afterAll(async () => {
    proxy.stop();
    await other.destroy();
  });

  it('is left for the one that its address leads to, without a failed request, and named until then (L16)', async () => {
    const running = await forThisTest(startApp({}, { instance: proxy.instance }));
    const push = () => running.anonymous.post('/api/v2/pushes', { push: { payload: 'tulip' } });
    const pushes = async () => tally((await allAtOnce(CLIENTS, push)).map(({ status }) => String(status)));
    expect(await pushes()).toEqual({ 201: CLIENTS }); // all connections of the pool are open
    const { url_token } = await running.anonymous.push({ payload: 'rose', expire_after_views: 1 });
    other = await PostgresServer.standbyOf(old);
    await other.start();
    await old.set('default_transaction_read_only = on');

    expect(await pushes()).toEqual({ 503: CLIENTS });
    expect((await running.anonymous.get('/ready')).status).toBe(503);
    expect((await running.anonymous.get(`/api/v2/pushes/${url_token}/preview`)).status).toBe(200);
    await other.promote();
    await other.query('ALTER SYSTEM RESET default_transaction_read_only');
    await other.query('SELECT pg_reload_conf()');
    proxy.move({ port: other.port });
    expect(await pushes()).toEqual({ 201: CLIENTS });
    expect((await running.anonymous.get('/ready')).status).toBe(200);
    expect((await running.anonymous.retrieve(url_token)).body.payload).toBe('rose');
  });

  it('is not used when DATABASE_URL names one that writes too', async () => {
    const DATABASE_URL = `postgresql://postgres@127.0.0.1:${old.port},127.0.0.1:${other.port}/sealpush?target_session_attrs=read-write`;
    const running = await forThisTest(
      startApp({}, { instance: { ...folder, env: { ...folder.env, DATABASE_URL } } }),
    );
    const push = () => running.anonymous.post('/api/v2/pushes', { push: { payload: 'tulip' } });

    expect(tally((await allAtOnce(CLIENTS, push)).map(({ status }) => String(status)))).toEqual({
      201: CLIENTS,
    });
    const here = 'SELECT inet_server_port() AS port';
    const ports = await allAtOnce(CLIENTS, () => running.dataSource.query(here));
    expect(new Set(ports.map(([{ port }]) => port as number))).toEqual(new Set([other.port]));
  });
});
