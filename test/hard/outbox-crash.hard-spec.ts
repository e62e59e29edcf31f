import { setTimeout } from 'node:timers/promises';
import { digestOf } from '../../src/platform/random/random.js';
import { eventually } from '../support/eventually.js';
import { forAllTests } from '../support/for-tests.js';
import { addWebhook, LOOPBACK_ALLOWED, startHookReceiver } from '../support/hook-receiver.js';
import { makeInstance } from '../support/instance.js';
import { startMailServer } from '../support/mail-server.js';
import { connectBeside } from '../support/other-connection.js';
import type { SpawnedServer } from '../support/spawn-server.js';
import { spawnServer } from '../support/spawn-server.js';
import { startApp } from '../support/start-app.js';
import { amount } from './support/amount.js';
import { isBrokenConnection } from './support/ledger.js';
import { between, randomFrom, SEED } from './support/random.js';

const ROUNDS = amount({ full: 20, short: 4 });
const CLIENTS = 2;
const PROCESSES = 2;

describe(`Two servers that are killed repeatedly while they send mails and webhooks (HARD_SEED=${SEED})`, () => {
  const random = randomFrom(SEED);
  /** The pushes that a response has acknowledged. */
  const acknowledged: { html_url: string; url_token: string }[] = [];
  const mailServer = forAllTests(startMailServer);
  const receiver = forAllTests(startHookReceiver);
  const instance = forAllTests(makeInstance);
  let token: string;

  beforeAll(async () => {
    const running = await startApp(LOOPBACK_ALLOWED, { instance });
    const owner = await running.newUser();
    token = owner.token;
    await addWebhook(running, owner.id, receiver.url, ['push.created']);
    await running.stop();
  });

  it('send everything that was asked for, at most once more for each process that was killed', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const servers = await start(PROCESSES);
      const count = acknowledged.length + between(random, 5, 25);
      const load = servers.flatMap((server) =>
        Array.from({ length: CLIENTS }, () => pushUntilItBreaks(server)),
      );
      await eventually(() => acknowledged.length > count);
      await setTimeout(random() * 30);
      await Promise.all(servers.map((server) => server.stop('SIGKILL')));
      await Promise.all(load);
    }
    await endLeases();
    const servers = await start(1);
    for (let left = await pending(); left > 0; left = await pending()) {
      const before = left;
      await eventually(async () => (await pending()) < before); // as slow as the machine is
    }
    for (const server of servers) await server.stop();

    const links = mailServer.received.map(({ text }) => /https:\S+/.exec(text ?? '')?.[0]);
    const mailed = mailServer.received.map(({ messageId }) => messageId);
    expect(acknowledged.filter(({ html_url }) => !links.includes(html_url))).toEqual([]);
    expect(repetitionsIn(mailed)).toBeLessThanOrEqual(ROUNDS * PROCESSES);

    const digests = receiver.received.map(({ body }) => JSON.parse(body).data.token_digest);
    const posted = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(acknowledged.filter(({ url_token }) => !digests.includes(digestOf(url_token)))).toEqual([]);
    expect(repetitionsIn(posted)).toBeLessThanOrEqual(ROUNDS * PROCESSES);
  });

  const start = (count: number) =>
    Promise.all(
      Array.from({ length: count }, () =>
        spawnServer(instance, {
          ...mailServer.env,
          ...LOOPBACK_ALLOWED,
          MAILS_PER_DAY: '0',
          LOG_LEVEL: 'info',
        }),
      ),
    );

  async function pushUntilItBreaks({ anonymous }: SpawnedServer): Promise<void> {
    const client = anonymous.with({ Authorization: `Bearer ${token}` });
    try {
      for (;;) {
        const push = await client.push({ payload: 'tulip', notify_emails_to: 'ada@example.org' });
        acknowledged.push(push);
      }
    } catch (error) {
      if (!isBrokenConnection(error)) throw error;
    }
  }

  async function pending(): Promise<number> {
    const [row] = await query('SELECT COUNT(*) AS count FROM outbox_messages WHERE ended_at IS NULL');
    return Number(row.count);
  }

  /** The processes that have begun these attempts are dead. */
  async function endLeases(): Promise<void> {
    await query(
      "UPDATE outbox_messages SET next_attempt_at = '2026-01-01 00:00:00.000' WHERE ended_at IS NULL",
    );
  }

  async function query(sql: string): Promise<any[]> {
    const connection = await connectBeside(instance);
    try {
      return await connection.query(sql);
    } finally {
      await connection.close();
    }
  }
});

function repetitionsIn(ids: unknown[]): number {
  return ids.length - new Set(ids).size;
}
