import { EventEmitter2 } from '@nestjs/event-emitter';
import { ExpiryService } from '../../src/pushes/expiry/expiry.service.js';
import type { PushEvent } from '../../src/pushes/push/push-events.js';
import { CreationsService } from '../../src/pushes/create/creations.service.js';
import { tally } from '../support/audit-kinds.js';
import { allAtOnce } from '../support/concurrent-calls.js';
import { forAllTests, forThisTest } from '../support/for-tests.js';
import { queryBeside } from '../support/other-connection.js';
import type { RunningApp } from '../support/start-app.js';
import { startApp } from '../support/start-app.js';
import { DAY_MS } from '../../src/platform/settings/units.js';
import { after, newestPush, someNewPush, someVisitor } from '../support/new-pushes.js';

describe('Domain events', () => {
  const running = forAllTests(startApp);
  let events: PushEvent[];

  const recordEvents = ({ app }: RunningApp) =>
    app.get(EventEmitter2).onAny((_name, event: PushEvent) => events.push(event));

  beforeAll(() => recordEvents(running));
  beforeEach(() => (events = []));

  const names = () => events.map(({ name }) => name);

  it('report a push from its creation to its last view, with its owner', async () => {
    const { id, client } = await running.newUser();
    const { url_token } = await client.push({ payload: 'tulip', expire_after_views: 2 });
    await running.anonymous.retrieve(url_token);
    await running.anonymous.retrieve(url_token);
    await running.anonymous.retrieve(url_token);
    const { id: pushId } = await newestPush(running);

    const common = { pushId, kind: 'text', userId: id, at: expect.any(Date) };
    expect(events.map((event) => ({ ...event }))).toEqual([
      { name: 'push.created', ...common },
      { name: 'push.retrieved', ...common, viewsRemaining: 1, byOwner: false },
      { name: 'push.retrieved', ...common, viewsRemaining: 0, byOwner: false },
      { name: 'push.expired', ...common, by: 'views' },
    ]);
  });

  it('report wrong passphrases, but not missing ones', async () => {
    const { url_token } = await running.anonymous.push({ payload: 'tulip', passphrase: 'horse' });
    await running.anonymous.retrieve(url_token);
    await running.anonymous.retrieve(url_token, 'cow');
    await running.anonymous.retrieve(url_token, 'horse');

    expect(names()).toEqual(['push.created', 'passphrase.failed', 'push.retrieved']);
    expect(events[1]).toMatchObject({ kind: 'text', userId: null });
  });

  it('report an end by delete once', async () => {
    const { client } = await running.newUser();
    const { url_token } = await client.push({ payload: 'tulip' });
    await allAtOnce(5, () => client.delete(`/api/v2/pushes/${url_token}`));

    expect(names()).toEqual(['push.created', 'push.expired']);
    expect(events[1]).toMatchObject({ by: 'delete' });
  });

  it('report an end by the time limit once, with the time of the end, whatever detects it first', async () => {
    const { id, client } = await running.newUser();
    const eightDaysAgo = after(new Date(), -8 * DAY_MS);
    const pushes = running.app.get(CreationsService);
    const make = () => pushes.create(someNewPush(), someVisitor({ userId: id }), eightDaysAgo);
    const [deleted] = [await make(), await make(), await make()];
    events = [];
    await client.delete(`/api/v2/pushes/${deleted.url_token}`);
    await running.app.get(ExpiryService).expireOverdue();
    await running.app.get(ExpiryService).expireOverdue();

    const end = { name: 'push.expired', by: 'days', at: after(eightDaysAgo, 7 * DAY_MS), userId: id };
    expect(events).toMatchObject([end, end, end]);
    expect(new Set(events.map(({ pushId }) => pushId)).size).toBe(3);
  });

  it('report each view once and the end once, for concurrent retrievals (A1)', async () => {
    const { url_token } = await running.anonymous.push({ payload: 'tulip', expire_after_views: 7 });
    await allAtOnce(50, () => running.anonymous.retrieve(url_token));

    expect(tally(names())).toEqual({ 'push.created': 1, 'push.retrieved': 7, 'push.expired': 1 });
  });

  it('do not fail the request when a listener fails', async () => {
    running.app.get(EventEmitter2).once('push.created', () => {
      throw new Error('not today');
    });

    expect((await running.anonymous.post('/api/v2/pushes', { push: { payload: 'tulip' } })).status).toBe(201);
  });

  it('contain nothing that opens a push or identifies its link (H1)', async () => {
    const { client, token } = await running.newUser();
    const secrets = { payload: 'tulip', passphrase: 'horse', name: 'spring', note: 'for Ada' };
    const { url_token } = await client.push({ ...secrets, expire_after_views: 1 });
    await running.anonymous.retrieve(url_token, 'cow');
    await running.anonymous.retrieve(url_token, 'horse');

    expect(names()).toEqual(['push.created', 'passphrase.failed', 'push.retrieved', 'push.expired']);
    const text = JSON.stringify(events);
    for (const secret of [...Object.values(secrets), url_token, token, 'cow'])
      expect(text).not.toContain(secret);
  });

  // The one with another app is last: only the latest one may use tokens.
  it('are not emitted for changes that were not committed', async () => {
    const other = await forThisTest(startApp());
    recordEvents(other);
    await queryBeside(other.instance, 'ALTER TABLE audit_entries RENAME TO elsewhere');
    const { status } = await other.anonymous.post('/api/v2/pushes', { push: { payload: 'tulip' } });

    expect(status).toBe(500);
    expect(events).toEqual([]);
  });
});
