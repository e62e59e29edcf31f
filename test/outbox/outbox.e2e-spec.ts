import { DataSource } from 'typeorm';
import { OutboxService } from '../../src/platform/outbox/outbox.service.js';
import { Jobs } from '../../src/platform/scheduling/jobs.js';
import { OutboxSchedule } from '../../src/platform/outbox/outbox.schedule.js';
import type { Delivery } from '../../src/platform/outbox/outbox-channels.js';
import { DeliveryError, OutboxChannel } from '../../src/platform/outbox/outbox-channels.js';
import { OutboxMessage } from '../../src/platform/outbox/outbox-message.entity.js';
import { OutboxSender } from '../../src/platform/outbox/outbox-sender.js';
import { writeWithin } from '../../src/platform/database/statements/statements.js';
import type { Transaction } from '../../src/platform/database/transactions/unit-of-work.js';
import { UnitOfWork } from '../../src/platform/database/transactions/unit-of-work.js';
import { Log } from '../../src/platform/logging/log.js';
import { MasterKey } from '../../src/platform/sealing/master-key.entity.js';
import { DAY_MS, HOUR_MS } from '../../src/platform/settings/units.js';
import { forEachTest } from '../support/for-tests.js';
import { logStatements } from '../support/recorded-statements.js';
import { eventually } from '../support/eventually.js';
import { makeInstance } from '../support/instance.js';
import { moduleWith } from '../support/contributions.js';
import { startApp } from '../support/start-app.js';

const NEWER_KEY = 'f'.repeat(16);

const message = (values: object = {}, destination = 'a', userId: string | null = null) => ({
  channel: 'test',
  destination,
  kind: 'greeting',
  userId,
  values,
});

describe('The outbox', () => {
  const instance = forEachTest(makeInstance);
  const running = forEachTest(() => startApp({}, { instance, extensions }));
  let delivered: Delivery[];
  let deliver: (delivery: Delivery) => Promise<void>;
  let sendSoon: jest.SpyInstance;

  @OutboxChannel('test')
  class TestChannel implements OutboxChannel {
    async deliver(delivery: Delivery): Promise<void> {
      delivered.push(delivery);
      await deliver(delivery);
    }
  }
  const extensions = [moduleWith(TestChannel)];

  beforeEach(() => {
    sendSoon = jest.spyOn(running.app.get(OutboxSchedule), 'sendSoon').mockReturnValue(); // most tests choose when
    delivered = [];
    deliver = () => Promise.resolve();
  });

  const adding =
    (...messages: ReturnType<typeof message>[]) =>
    (tx: Transaction) => {
      for (const each of messages) running.app.get(OutboxService).add(tx, each, new Date());
    };
  const add = (...messages: ReturnType<typeof message>[]) =>
    running.app.get(UnitOfWork).write(adding(...messages));
  const sendDue = (after = 0) =>
    running.app.get(OutboxSender).sendDue(undefined, () => new Date(Date.now() + after));
  const rows = () =>
    running.app
      .get(DataSource)
      .getRepository(OutboxMessage)
      .find({ order: { id: 'ASC' } });

  it('does not start when two modules have a channel of the same name', async () => {
    @OutboxChannel('test')
    class OtherChannel extends TestChannel {}

    await expect(
      startApp({}, { instance, extensions: [...extensions, moduleWith(OtherChannel)] }),
    ).rejects.toThrow('TestChannel and OtherChannel have decorators with the same name, test.');
  });

  it('has four transactions at a time, however many destinations there are, so that requests do not wait long', async () => {
    await add(...Array.from({ length: 40 }, (_, i) => message({}, `destination ${i}`)));
    const unitOfWork = running.app.get(UnitOfWork);
    const run = unitOfWork.run.bind(unitOfWork);
    let [open, most] = [0, 0];
    jest.spyOn(unitOfWork, 'run').mockImplementation(async (work) => {
      most = Math.max(most, ++open);
      return run(work).finally(() => (open -= 1));
    });
    await sendDue();

    expect([delivered.length, most]).toEqual([40, 4]);
  });

  it('delivers a message once, and keeps nothing of its content', async () => {
    await add(message({ link: 'https://example.org/p/tulip' }));
    const [before] = await rows();
    await sendDue();
    await sendDue();

    expect(before?.sealed?.toString('latin1')).not.toContain('tulip');
    expect(delivered.map(({ values }) => values)).toEqual([{ link: 'https://example.org/p/tulip' }]);
    expect(await rows()).toMatchObject([
      {
        outcome: 'delivered',
        sealed: null,
        masterKeyId: null,
        nextAttemptAt: null,
        attempts: 1,
        error: null,
      },
    ]);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['a write', () => add(message())],
    [
      'a write in a transaction',
      () => running.app.get(UnitOfWork).run((manager) => writeWithin(manager, adding(message()))),
    ],
  ])('sends a message soon after the commit of %s, without a schedule', async (_name, commit) => {
    sendSoon.mockRestore();
    await commit();

    await eventually(() => delivered.length === 1);
  });

  it('has nothing to send after a transaction that is rolled back', async () => {
    const failing = running.app.get(UnitOfWork).run(async (manager) => {
      await writeWithin(manager, adding(message()));
      throw new Error('rolled back');
    });

    await expect(failing).rejects.toThrow('rolled back');
    expect(await rows()).toEqual([]);
    expect(sendSoon).not.toHaveBeenCalled();
  });

  it('commits a row together with a write', async () => {
    await add(message({ n: 1 }));
    await sendDue();

    expect(delivered.map(({ values }) => values)).toEqual([{ n: 1 }]);
  });

  it('attempts again after an error, at longer and longer intervals, with the same id', async () => {
    deliver = () => Promise.reject(new DeliveryError('REFUSED'));
    await add(message());
    await sendDue();
    await sendDue(4000);
    await sendDue(16_000);
    deliver = () => Promise.resolve();
    await sendDue(HOUR_MS);

    expect(delivered).toHaveLength(3);
    expect(new Set(delivered.map(({ id }) => id)).size).toBe(1);
    expect(await rows()).toMatchObject([{ attempts: 3, outcome: 'delivered', error: null }]);
  });

  it('gives up after a day, and keeps the error without the content', async () => {
    deliver = () => Promise.reject(new DeliveryError('REFUSED'));
    await add(message());
    await sendDue(DAY_MS);

    expect(await rows()).toMatchObject([
      { outcome: 'failed', error: 'REFUSED', sealed: null, masterKeyId: null, nextAttemptAt: null },
    ]);
  });

  it('gives up immediately when the message itself is refused', async () => {
    deliver = () => Promise.reject(new DeliveryError('UNKNOWN_RECIPIENT', 'permanent'));
    await add(message());
    await sendDue();

    expect(await rows()).toMatchObject([{ outcome: 'failed', error: 'UNKNOWN_RECIPIENT', attempts: 1 }]);
  });

  it('does not attempt the other messages of a destination that fails', async () => {
    deliver = ({ destination }) =>
      destination === 'a' ? Promise.reject(new DeliveryError('DOWN', 'destination')) : Promise.resolve();
    await add(message(), message(), message(), message({}, 'b'));
    await sendDue();

    expect(delivered.map(({ destination }) => destination).sort()).toEqual(['a', 'b']);
    deliver = () => Promise.resolve();
    await sendDue(HOUR_MS);
    expect((await rows()).map(({ outcome }) => outcome)).toEqual(Array(4).fill('delivered'));
  });

  it('logs once that a receiver fails, when the error is another, and when it works again (M16)', async () => {
    const warnings = jest.spyOn(running.app.get(Log), 'warning');
    const events = jest.spyOn(running.app.get(Log), 'event');
    const failWith = (code: string) => {
      deliver = () => Promise.reject(new DeliveryError(code, 'destination'));
    };
    failWith('DOWN');
    await add(message({ link: 'tulip' }), message(), message());
    for (const after of [0, 16_000, HOUR_MS]) await sendDue(after);
    failWith('REFUSED');
    for (const after of [2 * HOUR_MS, 3 * HOUR_MS]) await sendDue(after);
    expect(events).not.toHaveBeenCalled();
    deliver = () => Promise.resolve();
    await sendDue(4 * HOUR_MS);

    const facts = { channel: 'test', destination: 'a' };
    expect(warnings.mock.calls).toEqual(
      ['DOWN', 'REFUSED'].map((code) => [
        'Delivery to a destination failed; its messages are sent later',
        { ...facts, code },
      ]),
    );
    expect(events.mock.calls).toEqual([
      ['Delivery to a destination works again', { ...facts, since: expect.any(Date), attempts: 5 }],
    ]);
  });

  it('does not warn the operator of a receiver that only an account has set up', async () => {
    const { id: userId } = await running.newUser();
    const warnings = jest.spyOn(running.app.get(Log), 'warning');
    const events = jest.spyOn(running.app.get(Log), 'event');
    deliver = () => Promise.reject(new DeliveryError('DOWN', 'destination'));
    await add(message({}, 'a', userId));
    await sendDue();

    expect(warnings).not.toHaveBeenCalled();
    expect(events).toHaveBeenCalledTimes(1);
  });

  it('delivers to another destination while the messages of a slow one fill a round', async () => {
    let finish = (): void => undefined;
    const slow = new Promise<void>((resolve) => (finish = resolve));
    deliver = ({ destination }) => (destination === 'slow' ? slow : Promise.resolve());
    await add(...Array.from({ length: 201 }, () => message({}, 'slow')));
    await add(message({}, 'quick'));
    const sending = sendDue();

    await eventually(() => delivered.some(({ destination }) => destination === 'quick'));
    finish();
    await sending;
    expect(delivered).toHaveLength(202);
  });

  it('delivers to other destinations while one is slow', async () => {
    let finish = (): void => undefined;
    const slow = new Promise<void>((resolve) => (finish = resolve));
    deliver = ({ destination }) => (destination === 'slow' ? slow : Promise.resolve());
    await add(message({}, 'slow'), message({}, 'slow'));
    const sending = sendDue();
    await eventually(() => delivered.length === 1);
    await add(message({}, 'quick'), message({}, 'quick'));
    await sendDue();

    expect(delivered.map(({ destination }) => destination)).toEqual(['slow', 'quick', 'quick']);
    finish();
    await sending;
    expect(delivered).toHaveLength(4);
  });

  it('sends to 32 destinations at the same time, and to the others as soon as one is finished', async () => {
    let finish = (): void => undefined;
    const slow = new Promise<void>((resolve) => (finish = resolve));
    deliver = ({ destination }) => (destination === 'to 0' ? Promise.resolve() : slow);
    await add(...Array.from({ length: 40 }, (_, n) => message({}, `to ${n}`)));
    const sending = sendDue();
    await eventually(() => delivered.length === 33);
    await add(message({}, 'later'));
    const sendingLater = sendDue();
    await rows();
    const before = delivered.length;
    finish();
    await Promise.all([sending, sendingLater]);

    expect(before).toBe(33);
    expect(new Set(delivered.map(({ destination }) => destination)).size).toBe(41);
  });

  it('looks only for messages to the destinations of a commit, however many to others wait', async () => {
    deliver = ({ destination }) =>
      destination === 'down' ? Promise.reject(new DeliveryError('DOWN', 'destination')) : Promise.resolve();
    await add(message({}, 'down'), message({}, 'down'));
    await sendDue();
    sendSoon.mockRestore();
    const lookups: unknown[] = [];
    const stop = await logStatements(running.app, (sql, parameters = []) => {
      if (/^SELECT .*outbox_messages/s.test(sql)) lookups.push(parameters[0]);
    });
    await add(message({}, 'down'));
    await add(message({}, 'up'), message({}, 'up'));
    await eventually(() => delivered.length === 3);
    stop();

    expect(new Set(lookups)).toEqual(new Set(['up']));
  });

  it('is sent by one of several processes at a time', async () => {
    const other = await startApp({}, { instance, extensions });
    await add(...Array.from({ length: 40 }, (_, n) => message({ n }, `to ${n % 7}`)));
    await Promise.all([sendDue(), other.app.get(OutboxSender).sendDue()]);
    await other.stop();

    expect(delivered).toHaveLength(40);
    expect(new Set(delivered.map(({ id }) => id)).size).toBe(40);
  });

  it('sends again what a process did not finish, once its lease has ended', async () => {
    await add(message());
    const stuck = new Promise<void>(() => undefined);
    deliver = () => stuck;
    void sendDue();
    await eventually(() => delivered.length === 1);
    const other = await startApp({}, { instance, extensions });
    deliver = () => Promise.resolve();
    await other.app.get(OutboxSender).sendDue();
    const during = delivered.length;
    await other.app.get(OutboxSender).sendDue(undefined, () => new Date(Date.now() + HOUR_MS));
    await other.stop();

    expect(during).toBe(1);
    expect(delivered).toHaveLength(2);
    expect(await rows()).toMatchObject([{ outcome: 'delivered' }]);
  });

  it('sends a message later whose master key only another process has yet', async () => {
    await add(message({ n: 1 }));
    const [{ id, masterKeyId } = new OutboxMessage()] = await rows();
    const { manager } = running.app.get(DataSource);
    await manager.insert(MasterKey, { id: NEWER_KEY, keyCheck: Buffer.alloc(1), createdAt: new Date() });
    await manager.update(OutboxMessage, { id }, { masterKeyId: NEWER_KEY });
    await sendDue();
    expect(await rows()).toMatchObject([{ outcome: null, error: 'INTERNAL' }]);
    await manager.update(OutboxMessage, { id }, { masterKeyId });
    await sendDue(HOUR_MS);

    expect(delivered.map(({ values }) => values)).toEqual([{ n: 1 }]);
    expect(await rows()).toMatchObject([{ outcome: 'delivered' }]);
  });

  it('refuses a row that was tampered with', async () => {
    await add(message({ n: 1 }), message({ n: 2 }));
    const [first, second] = await rows();
    await running.app
      .get(DataSource)
      .manager.update(OutboxMessage, { id: first?.id }, { sealed: second?.sealed ?? null });
    await sendDue();

    expect(delivered.map(({ values }) => values)).toEqual([{ n: 2 }]);
    expect(await rows()).toMatchObject([
      { outcome: 'failed', error: 'UNREADABLE' },
      { outcome: 'delivered' },
    ]);
  });

  it('removes the rows of delivered messages after a week, and of failed ones after a month', async () => {
    deliver = ({ destination }) =>
      destination === 'a' ? Promise.resolve() : Promise.reject(new DeliveryError('NO', 'permanent'));
    await add(message(), message({}, 'b'));
    await sendDue();
    const outcomesAfter = async (days: number) => {
      await running.app.get(Jobs).run('ended messages', new Date(Date.now() + days * DAY_MS + 1000));
      return (await rows()).map(({ outcome }) => outcome);
    };

    expect(await outcomesAfter(6)).toEqual(['delivered', 'failed']);
    expect(await outcomesAfter(7)).toEqual(['failed']);
    expect(await outcomesAfter(30)).toEqual([]);
  });
});
