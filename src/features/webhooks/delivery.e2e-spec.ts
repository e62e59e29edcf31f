import { Webhook as Verifier } from 'standardwebhooks';
import type { ServerResponse } from 'node:http';
import { OutboxMessage } from '../../platform/outbox/outbox-message.entity.js';
import { OutboxSender } from '../../platform/outbox/outbox-sender.js';
import { UsersService } from '../../auth/users/users.service.js';
import { AccountAdministration } from '../../auth/users/account-administration.js';
import { DAY_MS, HOUR_MS } from '../../platform/settings/units.js';
import { WebhookClient } from './webhook-client.js';
import { WebhookChannel } from './webhook-channel.js';
import { Webhook } from './webhook.entity.js';
import { WebhooksService } from './webhooks.service.js';
import { eventually } from '../../../test/support/eventually.js';
import { forAllTests, forEachTest, forThisTest } from '../../../test/support/for-tests.js';
import { addWebhook, LOOPBACK_ALLOWED, startHookReceiver } from '../../../test/support/hook-receiver.js';
import { after } from '../../../test/support/new-pushes.js';
import { startApp } from '../../../test/support/start-app.js';

describe('A message to a webhook', () => {
  const receiver = forEachTest(startHookReceiver);
  const running = forAllTests(() => startApp(LOOPBACK_ALLOWED));
  const owner = forEachTest(() => running.newUser());
  let secret: string;

  beforeEach(async () => {
    await running.dataSource.manager.deleteAll(OutboxMessage);
    secret = await addWebhook(running, owner.id, receiver.url, ['push.created']);
  });
  afterEach(() => jest.restoreAllMocks());

  const webhooks = () => running.app.get(WebhooksService);
  const rows = () => running.dataSource.getRepository(OutboxMessage).find({ order: { id: 'ASC' } });
  const webhook = () => running.dataSource.getRepository(Webhook).findOneByOrFail({ userId: owner.id });
  const push = () => owner.client.push({ payload: 'tulip' });
  const sendLater = (milliseconds = HOUR_MS) =>
    running.app.get(OutboxSender).sendDue(undefined, () => after(new Date(), milliseconds));
  const attempted = () => eventually(async () => (await rows()).every(isAttempted));

  it('has the same id at each attempt, and a signature of each attempt', async () => {
    receiver.answer = (_request, response) => response.writeHead(500).end();
    await push();
    await attempted();
    receiver.answer = (_request, response) => response.writeHead(200).end('ok');
    await sendLater();

    const [row] = await rows();
    expect(row).toMatchObject({ outcome: 'delivered', attempts: 2 });
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([row?.id, row?.id]);
    expect(receiver.verified(secret)).toHaveLength(2);
    expect(() => receiver.verified('whsec_AAAA')).toThrow();
  });

  it.each<[string, (response: ServerResponse) => unknown, string]>([
    ['refuses', (response) => response.writeHead(400).end(), 'HTTP 400'],
    ['fails', (response) => response.writeHead(500).end(), 'HTTP 500'],
    ['redirects', (response) => response.writeHead(302, { Location: receiver.url }).end(), 'HTTP 302'],
    ['disconnects', (response) => response.destroy(), 'ECONNRESET'],
    [
      'answers something else than HTTP',
      (response) => response.socket?.end('hello\r\n\r\n'),
      'HPE_INVALID_CONSTANT',
    ],
    ['never answers', () => undefined, 'TIMEOUT'],
    [
      'sends its headers too slowly',
      (response) => {
        response.writeEarlyHints({ link: '</a>; rel=preload' });
      },
      'TIMEOUT',
    ],
    [
      'sends interim responses without end',
      ({ socket }) => {
        const flood = (): void => {
          while (socket?.writable && socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1000)));
        };
        socket?.on('drain', flood).on('error', () => undefined);
        flood();
      },
      'RESPONSE_TOO_LONG',
    ],
  ])('is attempted again when the receiver %s (M6)', async (_does, answer, code) => {
    jest.replaceProperty(running.app.get(WebhookClient), 'timeoutMs', 1000);
    receiver.answer = (_request, response) => {
      answer(response);
    };
    await push();
    await attempted();

    expect(await rows()).toMatchObject([{ outcome: null, error: code, attempts: 1 }]);
    expect(receiver.received).toHaveLength(1);
  });

  it('is delivered when the status arrives, whatever body follows', async () => {
    let written = 0;
    receiver.answer = (_request, response) => {
      response.writeHead(200);
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(1000))) written += 1000;
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    };
    await push();
    await eventually(async () => (await rows())[0]?.outcome === 'delivered');
    jest.replaceProperty(running.app.get(WebhookClient), 'timeoutMs', 1000);
    receiver.answer = (_request, response) => void response.writeHead(200).write('slow');
    await push();
    await eventually(async () => (await rows())[1]?.outcome === 'delivered');

    expect(written).toBeLessThan(20_000_000); // what fits into the buffers of both sides
  });

  it('neither delays requests nor other webhooks when its receiver never answers', async () => {
    const other = await forThisTest(startHookReceiver());
    await addWebhook(running, owner.id, other.url, ['push.created']);
    receiver.answer = () => undefined;
    await push();
    await push();
    await eventually(
      async () => (await rows()).filter(({ outcome }) => outcome === 'delivered').length === 2,
    );

    expect(other.received).toHaveLength(2);
    expect(receiver.received.length).toBeLessThan(2);
  });

  it('disables the webhook when the receiver is gone, until the owner enables it', async () => {
    receiver.answer = (_request, response) => response.writeHead(410).end();
    await push();
    await eventually(async () => (await webhook()).disabledAt !== null);
    await eventually(async () => (await rows())[0]?.outcome === 'failed');
    receiver.answer = (_request, response) => response.writeHead(204).end();
    await push();
    const during = (await rows()).length;
    await webhooks().enable(owner.id, (await webhook()).id);
    await push();
    await eventually(() => receiver.received.length === 2);

    expect(during).toBe(1);
    expect((await rows())[0]).toMatchObject({ outcome: 'failed', error: 'HTTP 410' });
  });

  it('disables a webhook that has failed for three days, and not one that worked in between', async () => {
    const channel = running.app.get(WebhookChannel);
    const { id } = await webhook();
    const deliver = (days: number) =>
      channel
        .deliver(
          {
            id: 'm',
            kind: 'test',
            destination: id,
            userId: owner.id,
            createdAt: new Date(),
            values: { type: 'test', timestamp: '', data: {} },
          },
          after(new Date(), days * DAY_MS),
        )
        .catch(() => undefined);
    const fail = () => (receiver.answer = (_request, response) => response.writeHead(500).end());
    fail();
    await deliver(0);
    receiver.answer = (_request, response) => response.writeHead(204).end();
    await deliver(2);
    fail();
    await deliver(4);
    await deliver(6);
    const before = await webhook();
    await deliver(8);

    expect(before.disabledAt).toBeNull();
    expect((await webhook()).disabledAt).not.toBeNull();
  });

  it('is not sent when the webhook has been deleted, and neither is any of its account when that is disabled', async () => {
    receiver.answer = (_request, response) => response.writeHead(500).end();
    await push();
    await attempted();
    const user = await running.app.get(UsersService).findByEmail(owner.email);
    if (user) await running.app.get(AccountAdministration).disable(user);
    await sendLater();
    const ofDisabled = await rows();
    await webhooks().delete(owner.id, (await webhook()).id);

    expect(ofDisabled).toMatchObject([{ outcome: 'failed', error: 'DISABLED' }]);
    expect(await rows()).toEqual([]);
    expect(receiver.received).toHaveLength(1);
  });

  it('has a signature of both secrets for a day after the secret was replaced', async () => {
    const { id } = await webhook();
    const [own] = await webhooks().list(owner.id);
    const next = (await webhooks().rotateSecret(owner.id, id, own?.fingerprint ?? '')) ?? '';
    const repeated = await webhooks().rotateSecret(owner.id, id, own?.fingerprint ?? '');
    await push();
    await eventually(() => receiver.received.length === 1);

    expect(repeated).toBeUndefined();
    expect(receiver.verified(secret)).toEqual(receiver.verified(next));
    await running.app.get(WebhookChannel).deliver(
      {
        id: 'later',
        kind: 'test',
        destination: id,
        userId: owner.id,
        createdAt: new Date(),
        values: { type: 'test', timestamp: '', data: {} },
      },
      after(new Date(), DAY_MS + HOUR_MS),
    );
    const [, later] = receiver.received;
    expect(String(later?.headers['webhook-signature']).split(' ')).toEqual([
      new Verifier(next).sign(
        'later',
        new Date(Number(later?.headers['webhook-timestamp']) * 1000),
        later?.body ?? '',
      ),
    ]);
  });
});

function isAttempted({ outcome, error }: OutboxMessage): boolean {
  return outcome !== null || error !== null;
}
