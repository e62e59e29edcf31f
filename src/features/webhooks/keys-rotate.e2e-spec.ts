import { randomBytes } from 'node:crypto';
import { PushKeyRotation } from '../../pushes/key-rotation/push-key-rotation.js';
import { newId } from '../../platform/random/random.js';
import { RowKeyRotation } from '../../platform/sealing/row-key-rotation.js';
import { newSecret, WebhookSeal } from './webhook-seal.js';
import { Webhook } from './webhook.entity.js';
import { Client } from '../../../test/support/client.js';
import { eventually } from '../../../test/support/eventually.js';
import { addWebhook, LOOPBACK_ALLOWED, startHookReceiver } from '../../../test/support/hook-receiver.js';
import { makeInstance } from '../../../test/support/instance.js';
import { recordSteps } from '../../../test/support/recorded-steps.js';
import { startApp } from '../../../test/support/start-app.js';

const newKey = () => randomBytes(32).toString('base64');

describe('Replacing the master key', () => {
  afterEach(() => jest.restoreAllMocks());

  it('keeps the webhooks, which no longer need the old one', async () => {
    const [old, next] = [newKey(), newKey()];
    const receiver = await startHookReceiver();
    const instance = await makeInstance();
    const start = (keys: string) => startApp({ ...LOOPBACK_ALLOWED, MASTER_KEYS: keys }, { instance });
    const before = await start(old);
    const { id, token } = await before.newUser();
    const secret = await addWebhook(before, id, receiver.url);
    await before.stop();

    const during = await start(`${next},${old}`);
    const broken = await during.app.get(RowKeyRotation).rotate();
    const { retired } = await during.app.get(PushKeyRotation).rotate();
    await during.stop();

    const later = await start(next);
    await new Client(later.url, { Authorization: `Bearer ${token}` }).push({ payload: 'tulip' });
    await eventually(() => receiver.received.length === 1);
    await later.stop();
    await instance.destroy();
    await receiver.stop();

    expect([broken, retired.length]).toEqual([0, 1]);
    expect(receiver.verified(secret)).toMatchObject([{ type: 'push.created' }]);
  });

  it('leaves the database to others after each fifty webhooks', async () => {
    const [old, next] = [newKey(), newKey()];
    const instance = await makeInstance();
    const before = await startApp({ MASTER_KEYS: old }, { instance });
    const seal = before.app.get(WebhookSeal);
    const rows = Array.from({ length: 60 }, () => ({ id: newId(), userId: null })).map((row) => ({
      ...row,
      ...seal.seal({ url: 'https://example.org/', secret: newSecret() }, row),
      ...{ events: 'push.created', createdAt: new Date(), failingSince: null, disabledAt: new Date() },
    }));
    await before.dataSource.manager.insert(Webhook, rows);
    await before.stop();

    const during = await startApp({ MASTER_KEYS: `${next},${old}` }, { instance });
    const masterKeyId = rows[0]?.masterKeyId ?? '';
    const steps = recordSteps(during, () => during.dataSource.manager.countBy(Webhook, { masterKeyId }));
    await during.app.get(RowKeyRotation).rotate();
    await during.stop();
    await instance.destroy();

    expect(steps).toEqual([50, 'pause', 10, 'pause']);
  });
});
