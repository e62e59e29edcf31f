import { OutboxMessage } from '../../platform/outbox/outbox-message.entity.js';
import { WebhookClient, HostLookup } from './webhook-client.js';
import { eventually } from '../../../test/support/eventually.js';
import { forEachTest, forThisTest } from '../../../test/support/for-tests.js';
import { addWebhook, startHookReceiver } from '../../../test/support/hook-receiver.js';
import type { RunningApp, TestUser } from '../../../test/support/start-app.js';
import { startApp } from '../../../test/support/start-app.js';

describe('The host of a webhook', () => {
  const receiver = forEachTest(startHookReceiver);
  let running: RunningApp;
  let owner: TestUser;
  let port: string;
  /** The answers of the name server, the last one again and again. */
  let answers: string[][];
  let asked: string[];

  const lookup: HostLookup = {
    addressesOf: (host) => {
      asked.push(host);
      return Promise.resolve((answers.length > 1 ? answers.shift() : answers[0]) ?? []);
    },
  };
  const start = async (networks: string) => {
    running = await forThisTest(
      startApp(
        { WEBHOOK_ALLOWED_NETWORKS: networks },
        { adjust: (builder) => builder.overrideProvider(HostLookup).useValue(lookup) },
      ),
    );
    owner = await running.newUser();
  };

  beforeEach(() => {
    ({ port } = new URL(receiver.url));
    asked = [];
  });

  const row = () => running.dataSource.getRepository(OutboxMessage).findOneByOrFail({});
  const pushAndSend = async (url: string) => {
    await addWebhook(running, owner.id, url);
    await owner.client.push({ payload: 'tulip' });
    await eventually(async () => (await row()).outcome !== null || (await row()).error !== null);
    return row();
  };

  it('is resolved once, and connected to at that address (G1)', async () => {
    await start('127.0.0.1/32');
    answers = [['127.0.0.1'], ['192.0.2.1']];

    expect(await pushAndSend(`http://hooks.example:${port}/hook`)).toMatchObject({ outcome: 'delivered' });
    expect(asked).toEqual(['hooks.example']);
    expect(receiver.received[0]?.headers.host).toBe(`hooks.example:${port}`);
  });

  it.each([
    ['it has a private address', ['127.0.0.1']],
    ['one of its addresses is private', ['8.8.8.8', '127.0.0.1']],
    ['it has a private IPv6 address', ['::1']],
    ['it has a private IPv4 address in an IPv6 one', ['::ffff:127.0.0.1']],
  ])('gets nothing when %s', async (_why, addresses) => {
    await start('10.0.0.0/8');
    answers = [addresses];

    expect(await pushAndSend(`https://hooks.example:${port}/hook`)).toMatchObject({
      outcome: null,
      error: 'ADDRESS_NOT_ALLOWED',
    });
    expect(receiver.received).toEqual([]);
  });

  it('gets nothing without TLS when it has a public address', async () => {
    await start('127.0.0.1/32');
    answers = [['8.8.8.8']];

    expect(await pushAndSend(`http://hooks.example:${port}/hook`)).toMatchObject({
      error: 'ADDRESS_NOT_ALLOWED',
    });
  });

  it('gets nothing over TLS without a valid certificate', async () => {
    await start('127.0.0.1/32');
    answers = [['127.0.0.1']];
    const { error } = await pushAndSend(`https://hooks.example:${port}/hook`);

    expect(error).toMatch(/^(ERR_SSL_|EPROTO|ECONNRESET)/);
    expect(receiver.received).toEqual([]);
  });

  it('is not looked for by a redirect (G1)', async () => {
    await start('127.0.0.1/32');
    answers = [['127.0.0.1']];
    receiver.answer = (_request, response) =>
      response.writeHead(307, { Location: 'http://127.0.0.1:22/' }).end();

    expect(await pushAndSend(`http://hooks.example:${port}/hook`)).toMatchObject({ error: 'HTTP 307' });
    expect(asked).toEqual(['hooks.example']);
    expect(receiver.received).toHaveLength(1);
  });

  it('is waited for no longer than an attempt may take', async () => {
    await start('127.0.0.1/32');
    running.app.get(WebhookClient).timeoutMs = 300;
    lookup.addressesOf = (_host, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          reject(new Error('cancelled'));
        });
      });

    expect(await pushAndSend('https://hooks.example/')).toMatchObject({ error: 'TIMEOUT' });
  });
});
