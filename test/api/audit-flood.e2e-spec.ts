import { Push } from '../../src/pushes/push/push.entity.js';
import { auditKinds, tally } from '../support/audit-kinds.js';
import { allAtOnce, outcomes } from '../support/concurrent-calls.js';
import { forAllTests } from '../support/for-tests.js';
import { newestPush } from '../support/new-pushes.js';
import { startApp } from '../support/start-app.js';

const NEARLY_FULL = 1990;
const FULL = 2000;

describe('A flood', () => {
  const running = forAllTests(() => startApp({ OWNER_VIEWS_COUNT: 'false', TRUSTED_PROXIES: '127.0.0.1' }));
  const owner = forAllTests(() => running.newUser());

  type Counter = 'failuresAudited' | 'ownerViewsAudited';
  const share = async (counter: Counter, fields: object): Promise<string> => {
    const { url_token } = await owner.client.push({ payload: 'tulip', ...fields });
    await running.dataSource.manager.update(
      Push,
      { id: (await newestPush(running)).id },
      { [counter]: NEARLY_FULL },
    );
    return url_token;
  };

  it('of retrievals after the end leaves at most 2000 failures in the log (I3)', async () => {
    const token = await share('failuresAudited', { expire_after_views: 1 });
    await running.anonymous.retrieve(token);
    const answers = await allAtOnce(40, () => running.anonymous.retrieve(token));

    expect(outcomes(answers, 'tulip')).toEqual({ expired: 40 });
    expect(tally(await auditKinds(owner.client, token))).toEqual({ creation: 1, view: 1, failed_view: 10 });
    expect((await newestPush(running)).failuresAudited).toBe(FULL);
  });

  it('of wrong passphrases leaves at most 2000 failures in the log, and the push intact (I3)', async () => {
    const token = await share('failuresAudited', { passphrase: 'horse', expire_after_views: 2 });
    const answers = await allAtOnce(30, (caller) =>
      running.anonymous.with({ 'X-Forwarded-For': `198.51.100.${caller}` }).retrieve(token, 'wrong'),
    );
    expect(outcomes(answers, 'tulip')).toEqual({ 401: 30 });

    expect((await running.anonymous.retrieve(token, 'horse')).body).toMatchObject({
      payload: 'tulip',
      views_remaining: 1,
      expired: false,
    });
    await owner.client.delete(`/api/v2/pushes/${token}`);
    await running.anonymous.retrieve(token);
    expect(tally(await auditKinds(owner.client, token))).toEqual({
      creation: 1,
      failed_passphrase: 10,
      view: 1,
      expire: 1,
    });
    expect((await newestPush(running)).failuresAudited).toBe(FULL);
  });

  it('of the owner’s uncounted views leaves at most 2000 in the log, and the push intact (I3)', async () => {
    const token = await share('ownerViewsAudited', { expire_after_views: 1 });
    const answers = await allAtOnce(40, () => owner.client.retrieve(token));
    expect(outcomes(answers, 'tulip')).toEqual({ shown: 40 });

    expect((await running.anonymous.retrieve(token)).body).toMatchObject({
      payload: 'tulip',
      views_remaining: 0,
    });
    await running.anonymous.retrieve(token);
    expect(tally(await auditKinds(owner.client, token))).toEqual({
      creation: 1,
      owner_view: 10,
      view: 1,
      failed_view: 1,
    });
    expect((await newestPush(running)).ownerViewsAudited).toBe(FULL);
  });
});
