import { randomBytes } from 'node:crypto';
import { PushKeyRotation } from '../../src/pushes/key-rotation/push-key-rotation.js';
import { WebhookKeyRotation } from '../../src/webhooks/webhook-key-rotation.js';
import { Client } from '../support/client.js';
import { eventually } from '../support/eventually.js';
import { addWebhook, LOOPBACK_ALLOWED, startHookReceiver } from '../support/hook-receiver.js';
import { makeInstance } from '../support/instance.js';
import { startApp } from '../support/start-app.js';

const newKey = () => randomBytes(32).toString('base64');

describe('Replacing the master key', () => {
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
    const broken = await during.app.get(WebhookKeyRotation).rotate();
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
});
