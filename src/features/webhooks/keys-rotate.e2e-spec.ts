import { randomBytes } from 'node:crypto';
import { newId } from '../../platform/random/random.js';
import { RowKeyRotation } from '../../platform/sealing/row-key-rotation.js';
import { newSecret, WebhookSeal } from './webhook-seal.js';
import { Webhook } from './webhook.entity.js';
import { eventually } from '../../../test/support/eventually.js';
import { forThisTest } from '../../../test/support/for-tests.js';
import { addWebhook, LOOPBACK_ALLOWED, startHookReceiver } from '../../../test/support/hook-receiver.js';
import { makeInstance } from '../../../test/support/instance.js';
import { recordSteps } from '../../../test/support/recorded-steps.js';
import { replaceKey } from '../../../test/support/replaced-key.js';
import { startApp } from '../../../test/support/start-app.js';

const newKey = () => randomBytes(32).toString('base64');

describe('Replacing the master key', () => {
  afterEach(() => jest.restoreAllMocks());

  it('keeps the webhooks, which no longer need the old one', async () => {
    const receiver = await forThisTest(startHookReceiver());
    const { made, later } = await replaceKey(async (before) => {
      const { id, token } = await before.newUser();
      return { token, secret: await addWebhook(before, id, receiver.url) };
    }, LOOPBACK_ALLOWED);
    await later.anonymous.with({ Authorization: `Bearer ${made.token}` }).push({ payload: 'tulip' });
    await eventually(() => receiver.received.length === 1);

    expect(receiver.verified(made.secret)).toMatchObject([{ type: 'push.created' }]);
  });

  it('leaves the database to others after each fifty webhooks', async () => {
    const [old, next] = [newKey(), newKey()];
    const instance = await forThisTest(makeInstance());
    const before = await startApp({ MASTER_KEYS: old }, { instance });
    const seal = before.app.get(WebhookSeal);
    const rows = Array.from({ length: 60 }, () => ({ id: newId(), userId: null })).map((row) => ({
      ...row,
      ...seal.seal({ url: 'https://example.org/', secret: newSecret() }, row),
      ...{ events: 'push.created', createdAt: new Date(), failingSince: null, disabledAt: new Date() },
    }));
    await before.dataSource.manager.insert(Webhook, rows);
    await before.stop();

    const during = await forThisTest(startApp({ MASTER_KEYS: `${next},${old}` }, { instance }));
    const masterKeyId = rows[0]?.masterKeyId ?? '';
    const steps = recordSteps(during, () => during.dataSource.manager.countBy(Webhook, { masterKeyId }));
    await during.app.get(RowKeyRotation).rotate();

    expect(steps).toEqual([50, 'pause', 10, 'pause']);
  });
});
