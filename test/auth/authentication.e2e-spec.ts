import { createHash } from 'node:crypto';
import { TokensService } from '../../src/auth/tokens/tokens.service.js';
import { ApiToken } from '../../src/auth/entities/api-token.entity.js';
import { forAllTests, forEachTest } from '../support/for-tests.js';
import { sendRaw } from '../support/send-raw.js';
import { startApp } from '../support/start-app.js';
import { HOUR_MS } from '../../src/platform/settings/units.js';

const ACTIVE = '/api/v2/pushes/active';

describe('Authentication', () => {
  const running = forAllTests(startApp);
  const owner = forEachTest(() => running.newUser());
  const status = async (headers: Record<string, string>, path = ACTIVE) =>
    (await running.anonymous.with(headers).get(path)).status;

  it.each(['Bearer ', 'bearer ', 'Token ', 'token ', ''])('accepts a token as "%s…"', async (scheme) => {
    expect(await status({ Authorization: scheme + owner.token })).toBe(200);
  });

  it('accepts a token with any email address', async () => {
    const other = await running.newUser();
    const client = (email: string) =>
      running.anonymous.with({ 'X-User-Email': email, 'X-User-Token': owner.token });
    const { url_token } = await owner.client.push({ payload: 'tulip' });

    for (const email of [owner.email, `  ${owner.email.toUpperCase()} `, other.email, '', '%']) {
      const { status, body } = await client(email).get('/api/v2/pushes/active');

      expect([email, status]).toEqual([email, 200]);
      expect(body).toMatchObject([{ url_token }]);
    }
  });

  it('prefers X-User-Email and X-User-Token to Authorization', async () => {
    const pair = { 'X-User-Email': owner.email, 'X-User-Token': owner.token };
    const wrongPair = { ...pair, 'X-User-Token': 'wrong' };

    expect(await status({ ...pair, Authorization: 'Bearer wrong' })).toBe(200);
    expect(await status({ ...wrongPair, Authorization: `Bearer ${owner.token}` })).toBe(401);
  });

  it('ignores X-User-Email or X-User-Token alone', async () => {
    const { url_token: urlToken } = await running.anonymous.push({ payload: 'tulip' });

    const halves: Record<string, string>[] = [
      { 'X-User-Email': owner.email },
      { 'X-User-Token': owner.token },
      { 'X-User-Token': 'x' },
    ];
    for (const half of halves) {
      expect(await status(half)).toBe(401);
      expect(await status(half, `/api/v2/pushes/${urlToken}/preview`)).toBe(200);
    }
  });

  it('ignores other authentication schemes', async () => {
    const { url_token: urlToken } = await running.anonymous.push({ payload: 'tulip' });
    const basic = {
      Authorization: `Basic ${Buffer.from(`${owner.email}:${owner.token}`).toString('base64')}`,
    };

    expect(await status(basic, `/api/v2/pushes/${urlToken}`)).toBe(200);
    expect(await status(basic)).toBe(401);
  });

  it.each(['wrong', '', ' ', 'a b', "' OR 1=1 --", '\u00e9', 'x'.repeat(5000)])(
    'rejects the token "%s" instead of treating the caller as anonymous (C8)',
    async (token) => {
      const { url_token: urlToken } = await running.anonymous.push({
        payload: 'tulip',
        expire_after_views: 1,
      });
      const path = `/api/v2/pushes/${urlToken}`;
      const headers = { Authorization: `Bearer ${token}` };
      const { status: refused, headers: told, body } = await sendRaw(running.url, { path, headers });

      expect(refused).toBe(401);
      expect(told['www-authenticate']).toBe('Bearer');
      expect(body).toEqual({ error: 'A valid API token is needed.' });
      expect((await running.anonymous.retrieve(urlToken)).body.payload).toBe('tulip');
    },
  );

  it('rejects a token that differs in case or in its last character (C8)', async () => {
    const { token } = owner;
    const last = token.endsWith('A') ? 'B' : 'A';

    expect(await status({ Authorization: `Bearer ${token.slice(0, -1)}${last}` })).toBe(401);
    expect(await status({ Authorization: `Bearer ${token.slice(0, -1)}` })).toBe(401);
    expect(await status({ Authorization: `Bearer ${token}=` })).toBe(401);
    expect(await status({ Authorization: `Bearer ${digest(token)}` })).toBe(401);
  });

  it('reports a missing token in JSON', async () => {
    const { status: refused, headers, body } = await running.anonymous.get(ACTIVE);

    expect(refused).toBe(401);
    expect(headers.get('www-authenticate')).toBe('Bearer');
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(body).toEqual({ error: 'A valid API token is needed.' });
  });

  it('ignores a token in the URL', async () => {
    const query = `?access_token=${owner.token}`;

    expect(await status({}, `${ACTIVE}${query}`)).toBe(401);
    expect(await status({ Authorization: `Bearer ${owner.token}` }, `${ACTIVE}?access_token=wrong`)).toBe(
      200,
    );
  });

  it('ignores a token in a body', async () => {
    const bodies = [
      { access_token: owner.token, push: { payload: 'tulip', access_token: owner.token } },
      new URLSearchParams({ access_token: owner.token, 'push[payload]': 'tulip' }),
    ];
    for (const body of bodies)
      expect((await running.anonymous.post('/api/v2/pushes', body)).status).toBe(201);

    expect((await owner.client.get(ACTIVE)).body).toEqual([]);
  });

  it('stores only the digest of a token and looks it up by that (B6, C8, J5)', async () => {
    const row = await running.dataSource.manager.findOneByOrFail(ApiToken, { userId: owner.id });

    expect(row.digest).toBe(digest(owner.token));
    expect(JSON.stringify(row)).not.toContain(owner.token);
  });

  it('records the use of a token once an hour, not at each request', async () => {
    const tokens = running.app.get(TokensService);
    const lastUse = async () =>
      (await running.dataSource.manager.findOneByOrFail(ApiToken, { userId: owner.id })).lastUsedAt;
    const noon = new Date('2030-01-01T12:00:00.000Z');
    const after = (ms: number) => new Date(noon.getTime() + ms);
    const use = (now: Date) => tokens.authenticate(owner.token, now);

    expect(await lastUse()).toBeNull();
    await use(noon);
    expect(await lastUse()).toEqual(noon);
    await use(after(HOUR_MS));
    expect(await lastUse()).toEqual(noon);
    await use(after(HOUR_MS + 1));
    expect(await lastUse()).toEqual(after(HOUR_MS + 1));
  });

  it('does not record a use of a token for a wrong one sent with the email address of its account', async () => {
    await status({ 'X-User-Email': owner.email, 'X-User-Token': `${owner.token}x` });
    const { lastUsedAt } = await running.dataSource.manager.findOneByOrFail(ApiToken, { userId: owner.id });

    expect(lastUsedAt).toBeNull();
  });
});

function digest(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
