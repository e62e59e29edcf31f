import { ListPage } from '../../src/platform/http/paging/list-page.js';
import { Jobs } from '../../src/platform/scheduling/jobs.js';
import { CreationsService } from '../../src/pushes/create/creations.service.js';
import { PushesService } from '../../src/pushes/push/pushes.service.js';
import { RetrievalsService } from '../../src/pushes/retrieve/retrievals.service.js';
import { auditKinds } from '../support/audit-kinds.js';
import { forAllTests } from '../support/for-tests.js';
import { startApp } from '../support/start-app.js';
import { DAY_MS, MINUTE_MS } from '../../src/platform/settings/units.js';
import { after, someNewPush, someVisitor } from '../support/new-pushes.js';

describe('The time limit', () => {
  const running = forAllTests(startApp);
  const owner = forAllTests(() => running.newUser());

  const make = (createdAt: Date, terms = {}) =>
    running.app
      .get(CreationsService)
      .create(someNewPush({ name: 'for me', ...terms }), someVisitor({ userId: owner.id }), createdAt);

  describe.each([
    ['before the schedule has run', () => Promise.resolve()],
    ['after the schedule has run', () => running.app.get(Jobs).run('expiry')],
  ])('%s', (_, schedule) => {
    it('has ended a 7-day push created eight days ago, for every client (A5)', async () => {
      const createdAt = after(new Date(), -8 * DAY_MS);
      const { url_token, expires_at } = await make(createdAt, { passphrase: 'horse' });
      await schedule();

      const path = `/api/v2/pushes/${url_token}`;
      const ended = {
        expired: true,
        expired_on: after(createdAt, 7 * DAY_MS).toISOString(),
        expires_at,
        updated_at: expires_at,
        days_remaining: 0,
        views_remaining: 5,
        deleted: false,
        passphrase_required: false,
      };
      for (const client of [running.anonymous, owner.client]) {
        const { status, body } = await client.retrieve(url_token);
        expect([status, body]).toMatchObject([200, { ...ended, payload: null, files: [] }]);
      }
      expect((await running.anonymous.head(path)).status).toBe(200);
      expect((await running.anonymous.get(`${path}/preview`)).body).toEqual({
        url: `${running.url}/p/${url_token}`,
      });
      expect(await auditKinds(owner.client, url_token)).toEqual(['creation', 'failed_view', 'failed_view']);
    });

    it('has moved it from the active to the expired list (A5)', async () => {
      const { url_token, expires_at } = await make(after(new Date(), -8 * DAY_MS));
      const { url_token: stillActive } = await make(after(new Date(), -6 * DAY_MS));
      await schedule();

      const active = await owner.client.get('/api/v2/pushes/active');
      const expired = await owner.client.get('/api/v2/pushes/expired');
      const tokens = active.body.map((push: { url_token: string }) => push.url_token);
      expect(tokens).toContain(stillActive);
      expect(tokens).not.toContain(url_token);
      expect(expired.body[0]).toMatchObject({
        url_token,
        name: 'for me',
        expired: true,
        expired_on: expires_at,
        updated_at: expires_at,
        deleted: false,
      });
    });
  });

  it('ends a push at the exact millisecond of expires_at, in retrievals and lists (A5)', async () => {
    const createdAt = new Date('2026-01-01T10:20:30.456Z');
    const visitor = someVisitor({ userId: owner.id });
    const pushes = running.app.get(PushesService);
    const { url_token, expires_at } = await make(createdAt);
    const end = after(createdAt, 7 * DAY_MS);
    const seenAt = async (now: Date) => {
      const isIn = ({ body }: { body: { url_token: string }[] }) =>
        body.some((push) => push.url_token === url_token);
      return [
        isIn(await pushes.listActive(visitor, ListPage.parse('1'), now)),
        isIn(await pushes.listExpired(visitor, ListPage.parse('1'), now)),
        (await running.app.get(RetrievalsService).retrieve(url_token, {}, visitor, now)).payload,
      ];
    };

    expect(expires_at).toBe(end.toISOString());
    expect(await seenAt(after(end, -1))).toEqual([true, false, 'correct horse']);
    expect(await seenAt(end)).toEqual([false, true, null]);
  });

  it('ends a push of 15 minutes on time, although it is reported as a day', async () => {
    const createdAt = after(new Date(), -16 * MINUTE_MS);
    const terms = { expireAfterDays: 1, lifetime: 15 * MINUTE_MS };
    const { url_token, days_remaining } = await make(createdAt, terms);

    expect(days_remaining).toBe(1);
    expect((await running.anonymous.retrieve(url_token)).body).toMatchObject({
      expired: true,
      payload: null,
      expire_after_days: 1,
      days_remaining: 0,
      expired_on: after(createdAt, 15 * MINUTE_MS).toISOString(),
    });
  });

  it('does not change an earlier end by views or a delete', async () => {
    const createdAt = after(new Date(), -8 * DAY_MS);
    const dayAfter = after(createdAt, DAY_MS);
    const [viewed, deleted] = [await make(createdAt, { expireAfterViews: 1 }), await make(createdAt)];
    const visitor = someVisitor({ userId: owner.id });
    await running.app.get(RetrievalsService).retrieve(viewed.url_token, {}, visitor, dayAfter);
    await running.app.get(PushesService).delete(deleted.url_token, visitor, dayAfter);
    await running.app.get(Jobs).run('expiry');

    const kept = { expired: true, expired_on: dayAfter.toISOString(), updated_at: dayAfter.toISOString() };
    expect((await running.anonymous.retrieve(viewed.url_token)).body).toMatchObject({
      ...kept,
      deleted: false,
    });
    expect((await running.anonymous.retrieve(deleted.url_token)).body).toMatchObject({
      ...kept,
      deleted: true,
    });
  });
});
