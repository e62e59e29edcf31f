import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { Jobs } from '../../platform/scheduling/jobs.js';
import { MetricsServer } from './metrics.server.js';
import type { Delivery } from '../../platform/outbox/outbox-channels.js';
import { DeliveryError, OutboxChannel } from '../../platform/outbox/outbox-channels.js';
import { OutboxSchedule } from '../../platform/outbox/outbox.schedule.js';
import { OutboxSender } from '../../platform/outbox/outbox-sender.js';
import { OutboxService } from '../../platform/outbox/outbox.service.js';
import { CreationsService } from '../../pushes/create/creations.service.js';
import { Client } from '../../../test/support/client.js';
import { engine } from '../../../test/support/engine.js';
import { forEachTest, forThisTest } from '../../../test/support/for-tests.js';
import { makeInstance } from '../../../test/support/instance.js';
import { logStatements } from '../../../test/support/recorded-statements.js';
import { PageClient } from '../../../test/support/page-client.js';
import { run } from '../../../test/support/run.js';
import { sendRaw } from '../../../test/support/send-raw.js';
import { moduleWith } from '../../../test/support/contributions.js';
import { startApp } from '../../../test/support/start-app.js';
import { DAY_MS, HOUR_MS } from '../../platform/settings/units.js';
import { after, someNewPush, someVisitor } from '../../../test/support/new-pushes.js';

/** What becomes of messages, by destination. */
const ENDS: Record<string, DeliveryError | undefined> = {
  works: undefined,
  refuses: new DeliveryError('NO', 'permanent'),
  fails: new DeliveryError('DOWN', 'destination'),
  defers: new DeliveryError('LATER', 'transient'),
};

@OutboxChannel('test')
class TestChannel implements OutboxChannel {
  deliver({ destination }: Delivery): Promise<void> {
    const error = ENDS[destination];
    return error ? Promise.reject(error) : Promise.resolve();
  }
}

describe('The metrics', () => {
  const running = forEachTest(() =>
    startApp(
      { METRICS_PORT: '0', HOST: '127.0.0.1', REQUESTS_PER_MINUTE: '20' },
      { extensions: [moduleWith(TestChannel)] },
    ),
  );
  const prometheus = forEachTest(
    () => new Client(`http://127.0.0.1:${running.app.get(MetricsServer).port ?? 0}`),
  );

  const metrics = async (): Promise<string> => (await prometheus.get('/metrics')).body;
  const gauges = async (): Promise<Record<string, number>> =>
    Object.fromEntries(
      (await lines('sealpush_')).map((line) => {
        const [, name = '', value] = /^(\S+) (.+)$/.exec(line) ?? [];
        return [name, Number(value)];
      }),
    );
  const lines = async (name: string) => (await metrics()).split('\n').filter((line) => line.startsWith(name));
  /** Those of a counter that have counted something. */
  const counts = async (name: string) => (await lines(name)).filter((line) => !line.endsWith(' 0'));

  it('count requests by route and status, and time them', async () => {
    const { url_token } = await running.anonymous.push({ payload: 'tulip' });
    await running.anonymous.retrieve(url_token);
    await running.anonymous.retrieve('unknown');

    expect(await lines('sealpush_requests_total')).toEqual([
      'sealpush_requests_total{method="POST",route="/api/v2/pushes",status="201"} 1',
      'sealpush_requests_total{method="GET",route="/api/v2/pushes/:url_token",status="200"} 1',
      'sealpush_requests_total{method="GET",route="/api/v2/pushes/:url_token",status="404"} 1',
    ]);
    expect(await lines('sealpush_request_duration_seconds_count')).toEqual([
      'sealpush_request_duration_seconds_count{method="POST",route="/api/v2/pushes"} 1',
      'sealpush_request_duration_seconds_count{method="GET",route="/api/v2/pushes/:url_token"} 2',
    ]);
  });

  it('have one label for all unknown paths, and one for unsupported methods (I2)', async () => {
    for (let i = 0; i < 5; i++) {
      await running.anonymous.get(`/nowhere/${i}`);
      await running.anonymous.get(`/api/v2/${i}?${i}`);
    }
    for (const method of ['PURGE', 'PROPFIND'])
      await sendRaw(running.url, { method, path: '/api/v2/version' });

    expect(await lines('sealpush_requests_total')).toEqual([
      'sealpush_requests_total{method="GET",route="none",status="404"} 10',
      'sealpush_requests_total{method="other",route="none",status="404"} 2',
    ]);
  });

  it('count created, retrieved and expired pushes by kind, and wrong passphrases', async () => {
    const { url_token } = await running.anonymous.push({ payload: 'tulip', expire_after_views: 1 });
    await running.anonymous.retrieve(url_token);
    const url = await running.anonymous.push({
      kind: 'url',
      payload: 'https://example.org',
      passphrase: 'horse',
      deletable_by_viewer: true,
    });
    await running.anonymous.retrieve(url.url_token, 'cow');
    await running.anonymous.delete(`/api/v2/pushes/${url.url_token}`);

    expect(await counts('sealpush_pushes_created_total')).toEqual([
      'sealpush_pushes_created_total{kind="text"} 1',
      'sealpush_pushes_created_total{kind="url"} 1',
    ]);
    expect(await counts('sealpush_pushes_retrieved_total')).toEqual([
      'sealpush_pushes_retrieved_total{kind="text"} 1',
    ]);
    expect(await counts('sealpush_pushes_expired_total')).toEqual([
      'sealpush_pushes_expired_total{kind="text",by="views"} 1',
      'sealpush_pushes_expired_total{kind="url",by="delete"} 1',
    ]);
    expect(await lines('sealpush_passphrases_failed_total')).toEqual(['sealpush_passphrases_failed_total 1']);
  });

  it('count the runs of the schedule and the pushes it expires', async () => {
    const eightDaysAgo = after(new Date(), -8 * DAY_MS);
    await running.app.get(CreationsService).create(someNewPush(), someVisitor(), eightDaysAgo);
    await running.app.get(Jobs).run('expiry');

    expect(await lines('sealpush_sweeps_total')).toEqual(['sealpush_sweeps_total 1']);
    expect(await counts('sealpush_pushes_expired_total')).toEqual([
      'sealpush_pushes_expired_total{kind="text",by="days"} 1',
    ]);
    const [time = ''] = await lines('sealpush_sweep_timestamp_seconds');
    expect(Math.abs(Number(time.split(' ')[1]) * 1000 - Date.now())).toBeLessThan(60_000);
  });

  it('count requests that were rejected by a limit', async () => {
    const { url_token } = await running.anonymous.push({ payload: 'tulip', passphrase: 'horse' });
    for (let i = 0; i < 6; i++) await running.anonymous.retrieve(url_token, `wrong ${i}`);
    await new PageClient(running.url).post(`/p/${url_token}`, { passphrase: 'wrong 6' });
    for (let i = 0; i < 14; i++) await running.anonymous.get('/api/v2/version');

    expect(await counts('sealpush_throttled_total')).toEqual([
      'sealpush_throttled_total{limit="attempts"} 2',
      'sealpush_throttled_total{limit="requests"} 2',
    ]);
  });

  it('show the event loop lag and the connections to a database server', async () => {
    await running.anonymous.get('/api/v2/version');

    expect(await lines('nodejs_eventloop_lag_seconds')).toHaveLength(1);
    const states = (await lines('sealpush_database_connections')).map((line) => line.split(' ')[0]);
    expect(states).toEqual(
      engine.name === 'sqlite'
        ? []
        : ['busy', 'idle', 'awaited'].map((state) => `sealpush_database_connections{state="${state}"}`),
    );
  });

  it('show the outbox, the disk and the queues, and count what becomes of messages', async () => {
    const { id: userId } = await running.newUser();
    jest.spyOn(running.app.get(OutboxSchedule), 'sendSoon').mockReturnValue();
    const outbox = running.app.get(OutboxService);
    const add = (destination: string, now: Date) =>
      running.app.get(UnitOfWork).write((tx) => {
        outbox.add(tx, { channel: 'test', destination, kind: 'greeting', userId, values: {} }, now);
      });
    for (const destination of Object.keys(ENDS)) await add(destination, new Date());
    await running.app.get(OutboxSender).sendDue();
    await add('fails', after(new Date(), -HOUR_MS));

    expect((await counts('sealpush_messages_total')).sort()).toEqual(
      ['delivered', 'destination_failed', 'failed', 'retried'].map(
        (result) => `sealpush_messages_total{channel="test",result="${result}"} 1`,
      ),
    );
    const values = await gauges();
    expect(values).toMatchObject({
      'sealpush_outbox_waiting{channel="test"}': 3,
      'sealpush_outbox_waiting{channel="webhook"}': 0,
      sealpush_outbox_due: 1,
      'sealpush_outbox_failed{channel="test"}': 1,
      'sealpush_outbox_oldest_seconds{channel="webhook"}': 0,
      sealpush_writes_in_progress: 0,
      sealpush_bodies_in_progress: 0,
      sealpush_connections: 0,
      sealpush_unread_response_bytes: 0,
      'sealpush_queue_length{queue="retrieval"}': 0,
    });
    expect(values['sealpush_outbox_oldest_seconds{channel="test"}']).toBeGreaterThanOrEqual(3600);
    expect(values.sealpush_disk_free_bytes).toBeGreaterThan(0);
    expect(values.sealpush_disk_total_bytes).toBeGreaterThan(values.sealpush_disk_free_bytes ?? Infinity);
    expect(Object.keys(values).filter((name) => name.startsWith('sealpush_database_bytes'))).toEqual(
      engine.name === 'sqlite'
        ? ['sealpush_database_bytes{file="main"}', 'sealpush_database_bytes{file="wal"}']
        : [],
    );
  });

  it('read the database at most every 15 seconds, however often they are asked for', async () => {
    await metrics();
    let statements = 0;
    const stop = await logStatements(running.app, () => {
      statements += 1;
    });
    for (let i = 0; i < 5; i++) await metrics();
    stop();

    expect(statements).toBe(0);
  });

  it('are served without those of the outbox while the database cannot be read, and say so', async () => {
    const find = jest.spyOn(running.dataSource.manager, 'find').mockRejectedValue(new Error('gone'));
    const values = await gauges();
    find.mockRestore();

    expect(values).toMatchObject({
      'sealpush_collector_success{collector="outbox"}': 0,
      'sealpush_collector_success{collector="disk"}': 1,
      sealpush_disk_free_bytes: expect.any(Number),
    });
    expect(Object.keys(values).filter((name) => name.startsWith('sealpush_outbox'))).toEqual([]);
    expect(values['sealpush_collector_success{collector="database"}']).toBe(
      engine.name === 'sqlite' ? 1 : undefined,
    );
  });

  it('count from 0, so that the first failure after a start is an increase', async () => {
    expect(await lines('sealpush_messages_total')).toEqual(
      ['test', 'webhook'].flatMap((channel) =>
        ['delivered', 'retried', 'destination_failed', 'failed', 'dropped'].map(
          (result) => `sealpush_messages_total{channel="${channel}",result="${result}"} 0`,
        ),
      ),
    );
    expect(await lines('sealpush_throttled_total')).toHaveLength(2);
    expect(await lines('sealpush_pushes_expired_total')).toHaveLength(12);
  });

  it('are all that the rules and the dashboard of deploy/prometheus name', async () => {
    const text = await metrics();
    const known = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name));
    const named = ['alerts.yml', 'alerts.test.yml', 'grafana-dashboard.json']
      .map((name) => readFileSync(`deploy/prometheus/${name}`, 'utf8'))
      .flatMap((file) => file.match(/\b(?:sealpush|nodejs|process)_\w+/g) ?? [])
      .map((name) => name.replace(/_bucket$/, ''));

    expect(named.length).toBeGreaterThan(50);
    expect([...new Set(named)].filter((name) => !known.has(name))).toEqual([]);
  });

  it('contain no secret, token or address (H1)', async () => {
    const { client, token, email, id } = await running.newUser();
    const secrets = { payload: 'tulip', passphrase: 'horse', name: 'spring', note: 'for Ada' };
    const { url_token } = await client.push({ ...secrets, expire_after_views: 1 });
    await running.anonymous.with({ 'User-Agent': 'cow' }).retrieve(url_token, 'cow');
    await client.retrieve(url_token, 'horse');
    await client.get(`/${url_token}/horse`);

    const text = await metrics();
    for (const secret of [...Object.values(secrets), url_token, token, email, id, 'cow', '127.0.0.1']) {
      expect(text).not.toContain(secret);
    }
  });

  it('are served only at their own address', async () => {
    expect((await running.anonymous.get('/metrics')).status).toBe(404);
    expect((await prometheus.get('/api/v2/version')).status).toBe(404);
    expect((await prometheus.post('/metrics', {})).status).toBe(404);
  });
});

describe('METRICS_PORT', () => {
  it('opens no port when it is not set', async () => {
    const running = await forThisTest(startApp());
    const { port } = running.app.get(MetricsServer);

    expect(port).toBeUndefined();
  });

  it('stops the start with a one-line error when the port is in use', async () => {
    const instance = await forThisTest(makeInstance());
    const squatter = createServer();
    await new Promise<void>((resolve) => squatter.listen(0, '127.0.0.1', resolve));
    const { port } = squatter.address() as { port: number };
    const { code, stderr } = await run('main.js', instance, { env: { METRICS_PORT: String(port) } });
    await new Promise((resolve) => squatter.close(resolve));

    expect(stderr).toBe(
      `sealpush: Metrics cannot be served on port ${port} of 127.0.0.1 (EADDRINUSE). Set METRICS_PORT.\n`,
    );
    expect(code).toBe(1);
  });
});
