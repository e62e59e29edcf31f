import { auditKinds, tally } from '../support/audit-kinds.js';
import { allAtOnce, outcomes } from '../support/concurrent-calls.js';
import { forAllTests } from '../support/for-tests.js';
import { PageClient } from '../support/page-client.js';
import { startApp } from '../support/start-app.js';

describe('With concurrent requests', () => {
  const running = forAllTests(() => startApp({ TRUSTED_PROXIES: '127.0.0.1' }));
  const owner = forAllTests(() => running.newUser());

  it('a push of 7 views is shown exactly 7 times (A1)', async () => {
    const { url_token } = await owner.client.push({ payload: 'tulip', expire_after_views: 7 });
    const answers = await allAtOnce(200, () => running.anonymous.retrieve(url_token));

    expect(outcomes(answers, 'tulip')).toEqual({ shown: 7, expired: 193 });
    const left = answers.filter(({ body }) => body.payload).map(({ body }) => body.views_remaining);
    expect(left.sort()).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(tally(await auditKinds(owner.client, url_token))).toEqual({
      creation: 1,
      view: 7,
      failed_view: 193,
    });
  });

  it('a push of 7 views with a passphrase is shown exactly 7 times, never for a wrong one (A1)', async () => {
    const { url_token } = await owner.client.push({
      payload: 'tulip',
      passphrase: 'horse',
      expire_after_views: 7,
    });
    const answers = await allAtOnce(40, async (caller) =>
      running.anonymous
        .with({ 'X-Forwarded-For': `198.51.100.${caller}` })
        .retrieve(url_token, caller % 4 === 0 ? 'wrong' : 'horse'),
    );

    const { shown, expired = 0, 401: refused = 0, ...others } = outcomes(answers, 'tulip');
    expect(others).toEqual({});
    expect(shown).toBe(7);
    expect(expired + refused).toBe(33);
    expect(answers.filter(({ body }, caller) => body.payload && caller % 4 === 0)).toEqual([]);
    expect(tally(await auditKinds(owner.client, url_token))).toEqual({
      creation: 1,
      view: 7,
      failed_view: expired,
      ...(refused > 0 && { failed_passphrase: refused }),
    });
  });

  it('a push of 17 views is shown exactly 17 times for 90 correct passphrases from one address (A1, B4)', async () => {
    const terms = { payload: 'tulip', passphrase: 'horse', expire_after_views: 17 };
    const { url_token } = await owner.client.push(terms);
    const answers = await allAtOnce(90, () => running.anonymous.retrieve(url_token, 'horse'));

    expect(outcomes(answers, 'tulip')).toEqual({ shown: 17, expired: 73 });
    expect(tally(await auditKinds(owner.client, url_token))).toEqual({
      creation: 1,
      view: 17,
      failed_view: 73,
    });
  });

  it('a push is never shown more often than its limit to page and API together (A1)', async () => {
    const { url_token } = await owner.client.push({ payload: 'tulip', expire_after_views: 7 });
    const stranger = new PageClient(running.url);
    const byPage = () => stranger.post(`/p/${url_token}`).then(({ body }) => body);
    const byApi = () => running.anonymous.retrieve(url_token).then(({ body }) => JSON.stringify(body));
    const answers = await allAtOnce(60, (caller) => (caller % 2 ? byPage() : byApi()));

    expect(answers.filter((answer) => answer.includes('tulip'))).toHaveLength(7);
  });

  it('the views of several pushes are counted separately (A1)', async () => {
    const payloads = ['tulip', 'rose', 'iris'];
    const pushes = await Promise.all(
      payloads.map((payload) => owner.client.push({ payload, expire_after_views: 3 })),
    );
    const answers = await allAtOnce(60, (caller) => running.anonymous.retrieve(pushes[caller % 3].url_token));

    payloads.forEach((payload, i) => {
      const own = answers.filter((_, caller) => caller % 3 === i);
      expect(outcomes(own, payload)).toEqual({ shown: 3, expired: 17 });
    });
  });

  it('a delete ends a push once, and every view is in the log', async () => {
    const { url_token } = await owner.client.push({ payload: 'tulip', expire_after_views: 50 });
    const path = `/api/v2/pushes/${url_token}`;
    const deletes: Awaited<ReturnType<typeof running.anonymous.delete>>[] = [];
    const answers = await allAtOnce(60, async (caller) => {
      if (caller % 10 === 5) deletes.push(await owner.client.delete(path));
      return running.anonymous.retrieve(url_token);
    });

    const { shown = 0, expired = 0, ...others } = outcomes(answers, 'tulip');
    expect(others).toEqual({});
    expect(shown + expired).toBe(60);
    const kinds = await auditKinds(owner.client, url_token);
    expect(tally(kinds)).toEqual({
      creation: 1,
      ...(shown > 0 && { view: shown }),
      ...(expired > 0 && { failed_view: expired }),
      expire: 1,
    });
    const views = 50 - shown;
    expect(
      deletes.map(({ status, body }) => [status, body.expired, body.deleted, body.views_remaining]),
    ).toEqual(Array(6).fill([200, true, true, views]));
  });

  it('deletes all report the push as deleted, and write one audit entry', async () => {
    const { url_token } = await owner.client.push({ payload: 'tulip', deletable_by_viewer: true });
    const answers = await allAtOnce(30, (caller) =>
      (caller % 2 ? owner.client : running.anonymous).delete(`/api/v2/pushes/${url_token}`),
    );

    const [{ expired_on }] = answers.map(({ body }) => body);
    for (const { status, body } of answers) {
      expect([status, body]).toMatchObject([
        200,
        { expired: true, deleted: true, expired_on, views_remaining: 5 },
      ]);
    }
    expect(await auditKinds(owner.client, url_token)).toEqual(['creation', 'expire']);
  });
});
