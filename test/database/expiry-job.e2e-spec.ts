import { UnauthorizedException } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { AuditEntry } from '../../src/audit/audit-entry.entity.js';
import { Jobs } from '../../src/platform/scheduling/jobs.js';
import { ExpiryService } from '../../src/pushes/expiry/expiry.service.js';
import { PassphraseAttempt } from '../../src/pushes/passphrase/passphrase-throttle.js';
import type { PushEvent } from '../../src/pushes/push/push-events.js';
import { PushNotifier } from '../../src/pushes/push/push-events.js';
import { Push } from '../../src/pushes/push/push.entity.js';
import { CreationsService } from '../../src/pushes/create/creations.service.js';
import { PushesService } from '../../src/pushes/push/pushes.service.js';
import { RetrievalsService } from '../../src/pushes/retrieve/retrievals.service.js';
import { allAtOnce } from '../support/concurrent-calls.js';
import { forAllTests, forEachTest, forThisTest } from '../support/for-tests.js';
import { moduleWith } from '../support/contributions.js';
import { startApp } from '../support/start-app.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/platform/settings/units.js';
import { after, newestPush, someNewPush, someVisitor } from '../support/new-pushes.js';

const MADE = new Date('2026-01-01T00:00:00.000Z');
const ENDS = after(MADE, 7 * DAY_MS);

describe('The expiry schedule', () => {
  const running = forEachTest(() =>
    startApp({ TRUSTED_PROXIES: '127.0.0.1' }, { extensions: [moduleWith(FailingNotifier)] }),
  );
  const owner = forEachTest(() => running.newUser());
  let unendable: string | undefined;

  @PushNotifier()
  class FailingNotifier implements PushNotifier {
    wants({ pushId }: PushEvent): boolean {
      return pushId === unendable;
    }

    notify(): void {
      throw new Error('from a custom module');
    }
  }

  beforeEach(() => (unendable = undefined));

  const cleanUp = (now: Date) => running.app.get(Jobs).run('expiry', now);
  const make = (userId?: string, terms = {}, made = MADE) =>
    running.app.get(CreationsService).create(someNewPush(terms), someVisitor({ userId }), made);
  const newest = () => newestPush(running);
  const statuses = (tokens: string[]) =>
    Promise.all(
      tokens.map(async (token) => (await running.anonymous.head(`/api/v2/pushes/${token}`)).status),
    );

  it('removes a push without an owner a day after its end, with its log (H7)', async () => {
    const aged = await make();
    const viewed = await make(undefined, { expireAfterViews: 1 });
    const deleted = await make(undefined, { deletableByViewer: true });
    const owned = await make(owner.id);
    const dayBefore = after(ENDS, -DAY_MS);
    await running.app.get(RetrievalsService).retrieve(viewed.url_token, {}, someVisitor(), dayBefore);
    await running.app.get(PushesService).delete(deleted.url_token, someVisitor(), dayBefore);
    const tokens = [aged, viewed, deleted, owned].map(({ url_token }) => url_token);

    await cleanUp(ENDS);
    expect(await statuses(tokens)).toEqual([200, 200, 200, 200]);
    await cleanUp(after(ENDS, 1));
    expect(await statuses(tokens)).toEqual([200, 404, 404, 200]);
    await cleanUp(after(ENDS, DAY_MS));
    expect(await statuses(tokens)).toEqual([200, 404, 404, 200]);
    await cleanUp(after(ENDS, DAY_MS + 1));
    expect(await statuses(tokens)).toEqual([404, 404, 404, 200]);

    expect(await running.dataSource.manager.count(Push)).toBe(1);
    expect(await running.dataSource.manager.count(AuditEntry)).toBe(1);
    expect((await running.anonymous.retrieve(aged.url_token)).body).toEqual({ error: 'not-found' });
    expect((await owner.client.get(`/api/v2/pushes/${aged.url_token}/audit`)).status).toBe(404);
  });

  it('never removes an owner’s push, nor its name, note and log', async () => {
    const { url_token } = await make(owner.id, { name: 'for me', note: 'for me alone' });
    await cleanUp(after(ENDS, 3650 * DAY_MS));

    const { body } = await owner.client.get('/api/v2/pushes/expired');
    expect(body).toMatchObject([{ url_token, name: 'for me', note: 'for me alone' }]);
    expect((await owner.client.get(`/api/v2/pushes/${url_token}/audit`)).body.logs).toHaveLength(1);
  });

  it('removes wrong passphrase attempts after an hour (H7)', async () => {
    const { url_token } = await make(owner.id, { passphrase: 'horse' });
    const retrievals = running.app.get(RetrievalsService);
    const now = after(MADE, DAY_MS);
    for (const at of [after(now, -HOUR_MS - 1), after(now, -HOUR_MS), after(now, -MINUTE_MS)]) {
      await expect(
        retrievals.retrieve(url_token, { passphrase: 'wrong' }, someVisitor(), at),
      ).rejects.toThrow(UnauthorizedException);
    }
    await cleanUp(now);

    const left = await running.dataSource.manager.find(PassphraseAttempt, { order: { attemptedAt: 'ASC' } });
    expect(left.map(({ attemptedAt }) => attemptedAt)).toEqual([
      after(now, -HOUR_MS),
      after(now, -MINUTE_MS),
    ]);
  });

  it('ends and removes pushes even if one of them, or an earlier step, fails', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) {
      await make();
      ids.push((await newest()).id);
    }
    const retrievals = running.app.get(RetrievalsService);
    const { url_token } = await make(owner.id, { passphrase: 'horse' });
    await expect(
      retrievals.retrieve(url_token, { passphrase: 'wrong' }, someVisitor(), MADE),
    ).rejects.toThrow(UnauthorizedException);
    unendable = ids[1];

    await cleanUp(after(ENDS, 1));

    const left = await running.dataSource.manager.findBy(Push, { expiredOn: IsNull() });
    expect(left.map(({ id }) => id)).toEqual([ids[1]]);
    expect(await running.dataSource.manager.count(PassphraseAttempt)).toBe(0);
  });

  it('can run several times concurrently, in two processes too', async () => {
    const second = await forThisTest(startApp({}, { instance: running.instance }));
    await allAtOnce(30, () => make());
    await allAtOnce(270, () => make(owner.id));
    const expiries = [running, second].map(({ app }) => app.get(ExpiryService));
    const ended = await Promise.all([...expiries, ...expiries].map((expiry) => expiry.expireOverdue(ENDS)));
    expect(ended.reduce((sum, count) => sum + count)).toBe(300);

    const later = after(ENDS, 2 * DAY_MS);
    const removed = await Promise.all([...expiries, ...expiries].map((expiry) => expiry.purge(later)));
    expect(removed.reduce((sum, count) => sum + count)).toBe(30);

    const schedules = [running, second].map(({ app }) => app.get(Jobs));
    await Promise.all([...schedules, ...schedules].map((schedule) => schedule.run('expiry', later)));
    expect(await running.dataSource.manager.countBy(Push, { expiredOn: ENDS })).toBe(270);
  });
});

describe('With RETENTION_DAYS', () => {
  const running = forAllTests(() => startApp({ RETENTION_DAYS: '30' }));

  it('an owner’s push is removed that many days after its end too (H7)', async () => {
    const { id, client } = await running.newUser();
    const { url_token } = await running.app
      .get(CreationsService)
      .create(someNewPush(), someVisitor({ userId: id }), MADE);
    const audit = () => client.get(`/api/v2/pushes/${url_token}/audit`);

    await running.app.get(Jobs).run('expiry', after(ENDS, 30 * DAY_MS));
    expect((await audit()).status).toBe(200);
    await running.app.get(Jobs).run('expiry', after(ENDS, 30 * DAY_MS + 1));
    expect((await audit()).status).toBe(404);
    expect((await client.get('/api/v2/pushes/expired')).body).toEqual([]);
    expect(await running.dataSource.manager.count(AuditEntry)).toBe(0);
  });
});
