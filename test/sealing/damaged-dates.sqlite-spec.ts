import { forAllTests } from '../support/for-tests.js';
import { startApp } from '../support/start-app.js';

describe('A push with a damaged date', () => {
  const running = forAllTests(startApp);

  it.each(['created_at', 'updated_at', 'expires_at', 'expired_on', 'last_viewed_at'])(
    'is in a list of its owner if it is %s (M8)',
    async (column) => {
      const { client } = await running.newUser();
      await client.push({ payload: 'tulip', name: 'damaged' });
      await running.dataSource.query(
        `UPDATE pushes SET ${column} = '2026-1x' WHERE id = (SELECT MAX(id) FROM pushes)`,
      );
      await client.push({ payload: 'rose', name: 'whole' });
      const lists = [await client.get('/api/v2/pushes/active'), await client.get('/api/v2/pushes/expired')];
      const names = lists.flatMap(({ body }) => body.map(({ name }: { name: string }) => name));

      expect(lists.map(({ status }) => status)).toEqual([200, 200]);
      expect(names).toEqual(expect.arrayContaining(['whole']));
      expect((await client.get('/api/v2/audit')).status).toBe(200);
    },
  );

  it.each(['x', '2099-01-01 (x)', '2099 1'])('has ended if the date of its end is %j (M8)', async (date) => {
    const { url_token } = await running.anonymous.push({ payload: 'tulip' });
    await running.dataSource.query(
      `UPDATE pushes SET expires_at = '${date}' WHERE id = (SELECT MAX(id) FROM pushes)`,
    );

    expect((await running.anonymous.retrieve(url_token)).body).toMatchObject({
      payload: null,
      expired: true,
    });
  });

  it('is not opened before its end if it is the one at which it opens (M8)', async () => {
    const opens_at = new Date(Date.now() + 3_600_000).toISOString();
    const { url_token } = await running.anonymous.push({ payload: 'tulip', opens_at });
    await running.dataSource.query(
      "UPDATE pushes SET opens_at = 'x' WHERE id = (SELECT MAX(id) FROM pushes)",
    );

    const { status, body } = await running.anonymous.retrieve(url_token);

    expect([status, body.payload]).toEqual([403, undefined]);
  });
});
