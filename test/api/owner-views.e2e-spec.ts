import { auditKinds } from '../support/audit-kinds.js';
import { forAllTests } from '../support/for-tests.js';
import { startApp } from '../support/start-app.js';

describe('When the views of owners do not count', () => {
  const running = forAllTests(() => startApp({ OWNER_VIEWS_COUNT: 'false' }));
  const owner = forAllTests(() => running.newUser());

  it('the owner may retrieve any number of times, with the passphrase', async () => {
    const { url_token } = await owner.client.push({
      payload: 'tulip',
      passphrase: 'horse',
      expire_after_views: 1,
    });
    for (let i = 0; i < 3; i++) {
      expect((await owner.client.retrieve(url_token, 'horse')).body).toMatchObject({
        payload: 'tulip',
        views_remaining: 1,
      });
    }
    expect((await owner.client.retrieve(url_token)).status).toBe(401);

    expect(await auditKinds(owner.client, url_token)).toEqual([
      'creation',
      'owner_view',
      'owner_view',
      'owner_view',
    ]);
  });

  it('the views of others count, and after the end the owner cannot retrieve either', async () => {
    const { url_token } = await owner.client.push({ payload: 'tulip', expire_after_views: 2 });
    const other = await running.newUser();
    await other.client.retrieve(url_token);
    await running.anonymous.retrieve(url_token);

    expect((await owner.client.retrieve(url_token)).body).toMatchObject({ expired: true, payload: null });
    expect(await auditKinds(owner.client, url_token)).toEqual(['creation', 'view', 'view', 'failed_view']);
  });

  it('an anonymous push has no owner, so all its views count (C1)', async () => {
    const { url_token } = await running.anonymous.push({ payload: 'tulip', expire_after_views: 2 });

    expect((await running.anonymous.retrieve(url_token)).body.views_remaining).toBe(1);
    expect((await owner.client.retrieve(url_token)).body.views_remaining).toBe(0);
  });
});
