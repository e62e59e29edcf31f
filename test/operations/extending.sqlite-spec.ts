import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import type { IncomingHttpHeaders, Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { AuditWebhookModule } from '../audit-webhook/audit-webhook.module.js';
import { allAtOnce } from '../support/concurrent-calls.js';
import type { Instance } from '../support/instance.js';
import { makeInstance } from '../support/instance.js';
import type { RunningApp } from '../support/start-app.js';
import { startApp } from '../support/start-app.js';

const SECRET = 'a secret that both sides know';

interface Message {
  headers: IncomingHttpHeaders;
  body: string;
}

describe('A third-party module', () => {
  let instance: Instance;
  let receiver: Server;
  let running: RunningApp;
  let received: Message[];
  /** The next response statuses of the receiver; 204 when empty. */
  let statuses: number[];

  beforeEach(async () => {
    instance = await makeInstance();
    received = [];
    statuses = [];
    receiver = createServer((request, response) => {
      void text(request).then((body) => {
        received.push({ headers: request.headers, body });
        response.writeHead(statuses.shift() ?? 204, { Location: 'http://127.0.0.1:1/' }).end();
        receiver.emit('received');
      });
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const { port } = receiver.address() as AddressInfo;
    const secretFile = join(instance.dataDir, 'webhook-secret');
    await writeFile(secretFile, `${SECRET}\n`);
    running = await startApp(
      { LOG_LEVEL: 'error' },
      {
        instance,
        extensions: [
          AuditWebhookModule.to({ url: `http://127.0.0.1:${port}/audit`, secretFile, firstPauseMs: 1 }),
        ],
      },
    );
  });
  afterEach(async () => {
    await running.stop();
    receiver.closeAllConnections();
    receiver.close();
    await instance.destroy();
  });

  const receivedAtLeast = async (count: number) => {
    while (received.length < count) await once(receiver, 'received');
  };
  const names = () => received.map(({ body }) => JSON.parse(body).name);

  it('forwards the events of pushes in order, signed, and without secrets (H1)', async () => {
    const { client, token } = await running.newUser();
    const secrets = { payload: 'tulip', passphrase: 'horse', name: 'spring', note: 'for Ada' };
    const { url_token } = await client.push({ ...secrets, expire_after_views: 1 });
    await running.anonymous.retrieve(url_token, 'cow');
    await running.anonymous.retrieve(url_token, 'horse');
    await receivedAtLeast(4);

    expect(names()).toEqual(['push.created', 'passphrase.failed', 'push.retrieved', 'push.expired']);
    for (const { headers, body } of received) {
      const [, time = '', signature] = /^t=(\d+),sha256=(.*)$/.exec(headers['x-signature'] as string) ?? [];
      expect(signature).toBe(createHmac('sha256', SECRET).update(`${time}.${body}`).digest('hex'));
      expect(headers['user-agent']).toBe(
        `sealpush/${JSON.parse(readFileSync('package.json', 'utf8')).version}`,
      );
      for (const secret of [...Object.values(secrets), url_token, token]) expect(body).not.toContain(secret);
    }
  });

  it('retries messages that were not accepted, and follows no redirect (G1)', async () => {
    statuses = [500, 302, 429];
    await running.anonymous.push({ payload: 'tulip' });
    await receivedAtLeast(4);

    expect(names()).toEqual(Array(4).fill('push.created'));
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
  });

  it('gives up on a message after six tries, and continues with the next', async () => {
    const { client } = await running.newUser();
    statuses = Array(6).fill(500);
    const { url_token } = await running.anonymous.push({ payload: 'tulip' });
    await running.anonymous.retrieve(url_token);
    await receivedAtLeast(7);

    expect(names()).toEqual([...Array(6).fill('push.created'), 'push.retrieved']);
    expect((await client.get('/api/audit-webhook')).body).toMatchObject({ failed: 1, dropped: 0 });
  });

  it('drops messages that do not fit in its queue, and delays no request', async () => {
    const { client } = await running.newUser();
    receiver.removeAllListeners('request').on('request', () => undefined); // never responds
    const { url_token } = await client.push({ payload: 'tulip', expire_after_views: 100 });
    const { url_token: locked } = await client.push({ payload: 'rose' });
    await client.delete(`/api/v2/pushes/${locked}`);
    for (let round = 0; round < 11; round++) {
      const { url_token: other } = await client.push({ payload: 'tulip', expire_after_views: 100 });
      await allAtOnce(100, () => running.anonymous.retrieve(other));
    }

    expect((await running.anonymous.retrieve(url_token)).body.payload).toBe('tulip');
    const { dropped } = (await client.get('/api/audit-webhook')).body;
    // 2 created, 1 deleted; 11 created, viewed 100 times and expired; 1 viewed: 1126, of which 1001 are in progress or queued
    expect(dropped).toBe(125);
  });

  it('has routes that require a token by default', async () => {
    const { client } = await running.newUser();

    expect((await running.anonymous.get('/api/audit-webhook')).status).toBe(401);
    expect(await client.get('/api/audit-webhook')).toMatchObject({
      status: 200,
      body: { delivered: 0, failed: 0, dropped: 0 },
    });
  });
});
