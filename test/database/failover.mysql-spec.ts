import { UnitOfWork } from '../../src/platform/database/transactions/unit-of-work.js';
import { tally } from '../support/audit-kinds.js';
import { allAtOnce } from '../support/concurrent-calls.js';
import { startDatabaseProxy } from '../support/database-proxy.js';
import { eventually } from '../support/eventually.js';
import { forAllTests, forEachTest } from '../support/for-tests.js';
import { makeSqliteInstance } from '../support/instance.js';
import { MysqlServer } from '../support/mysql-server.js';
import { startApp } from '../support/start-app.js';

/** Where the app's connections come from before the address moves: there its account may not write to a read-only server. */
const OLD = '127.0.0.1';
const NEW = '127.0.0.2';
const CLIENTS = 30;

/**
 * As in a failover in which the old primary goes on as a replica, and the address leads to the new one. Here one server is
 * both: who connects from another address may write although it is read-only.
 */
describe('A database server that becomes read-only', () => {
  const folder = forAllTests(makeSqliteInstance);
  const server = forAllTests(() => MysqlServer.make());
  beforeAll(async () => {
    await server.start();
    await server.query('CREATE DATABASE sealpush');
    await server.query(`CREATE USER app@'${OLD}', app@'${NEW}'`);
    await server.query(`GRANT ALL ON sealpush.* TO app@'${OLD}'`);
    await server.query(`GRANT ALL ON *.* TO app@'${NEW}'`);
  });

  const proxy = forEachTest(() => {
    const url = `${server.url.replace('root', 'app')}/sealpush`;
    return startDatabaseProxy({ ...folder, env: { ...folder.env, DATABASE_URL: url } });
  });
  const running = forEachTest(() => startApp({}, { instance: proxy.instance }));
  beforeEach(async () => {
    expect(await pushes()).toEqual({ 201: CLIENTS }); // all connections of the pool are open
  });
  afterEach(() => server.query('SET GLOBAL read_only = OFF'));

  const push = () => running.anonymous.post('/api/v2/pushes', { push: { payload: 'tulip' } });
  const pushes = async () => tally((await allAtOnce(CLIENTS, push)).map(({ status }) => status));
  const readiness = async () => (await running.anonymous.get('/ready')).status;
  const becomeReadOnly = () => server.query('SET GLOBAL read_only = ON');

  it('is left for the one that its address leads to, without a failed request (L16)', async () => {
    const { url_token } = await running.anonymous.push({ payload: 'rose', expire_after_views: 1 });
    const old = await connections();
    await becomeReadOnly();
    proxy.move({ localAddress: NEW });

    expect(await pushes()).toEqual({ 201: CLIENTS });
    expect((await running.anonymous.retrieve(url_token)).body.payload).toBe('rose');
    await eventually(async () => (await connections()).every((id) => !old.includes(id))); // also those that were idle
  });

  it('makes writes fail and the process unready until its address leads elsewhere (L16)', async () => {
    const { url_token } = await running.anonymous.push({ payload: 'rose', expire_after_views: 1 });
    expect(await readiness()).toBe(200);
    await becomeReadOnly();

    expect(await pushes()).toEqual({ 503: CLIENTS });
    expect(await readiness()).toBe(503);
    expect((await running.anonymous.get(`/api/v2/pushes/${url_token}/preview`)).status).toBe(200);
    expect((await running.anonymous.retrieve(url_token)).status).toBe(503);
    proxy.move({ localAddress: NEW });
    expect(await pushes()).toEqual({ 201: CLIENTS });
    expect(await readiness()).toBe(200);
    expect((await running.anonymous.retrieve(url_token)).body.payload).toBe('rose');
  });

  it('is left whatever sends the statement that it refuses', async () => {
    await becomeReadOnly();
    proxy.move({ localAddress: NEW });
    const write = () => running.dataSource.query("UPDATE leases SET ends_at = 0 WHERE name = 'x'");

    await expect(write()).rejects.toThrow(/read-only/);
    await write();
    await running.app.get(UnitOfWork).run((manager) => manager.query('DELETE FROM leases'));
  });

  async function connections(): Promise<number[]> {
    const sql = "SELECT id AS id FROM information_schema.processlist WHERE user = 'app'";
    return (await running.dataSource.query<{ id: number }[]>(sql)).map(({ id }) => id);
  }
});
