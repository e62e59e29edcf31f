import { TokensService } from '../../src/auth/tokens/tokens.service.js';
import { User } from '../../src/auth/entities/user.entity.js';
import { ApiToken } from '../../src/auth/entities/api-token.entity.js';
import { Client } from '../support/client.js';
import { forAllTests, forEachTest } from '../support/for-tests.js';
import { startApp } from '../support/start-app.js';
import type { PageClient } from '../support/page-client.js';
import { newSignedInUser } from '../support/page-client.js';
import { DAY_MS, HOUR_MS } from '../../src/platform/settings/units.js';

const tokenIn = (body: string) => /value="([\w-]{43})"/.exec(body)?.[1] ?? '';
const idIn = (body: string) => /name="id" value="([^"]+)"/.exec(body)?.[1] ?? '';

describe('/users/token', () => {
  const running = forAllTests(startApp);
  const member = forEachTest(() => newSignedInUser(running));
  let pageClient: PageClient;

  const callWith = (token: string) =>
    new Client(running.url, { Authorization: `Bearer ${token}` }).get('/api/v2/pushes/active');

  beforeEach(() => (pageClient = member.pageClient));

  it('creates a token that the API accepts, and shows it once', async () => {
    const { status, body } = await pageClient.post('/users/token', { name: 'deploy script' });
    const token = tokenIn(body);

    expect(status).toBe(201);
    expect((await callWith(token)).status).toBe(200);
    const again = await pageClient.get('/users/token');
    expect(again.body).toContain('deploy script');
    expect(again.body).not.toContain(token);
  });

  it('takes names of up to 255 characters, and with any but control characters', async () => {
    for (const name of ['\u{1f331}'.repeat(255), 'a\u200bb', '<b>']) {
      const { status, body } = await pageClient.post('/users/token', { name });

      expect(status).toBe(201);
      expect(body).not.toContain('<b>');
    }
  });

  it('shows 50 at a time, the newest first', async () => {
    const user = await running.dataSource.manager.findOneByOrFail(User, { id: member.id });
    for (let i = 0; i <= 50; i++) await running.app.get(TokensService).create(user, { name: `script ${i}` });
    const pageOf = async (query = '') => (await pageClient.get(`/users/token${query}`)).body;
    const namesIn = (body: string) => [...body.matchAll(/>(script \d+)</g)].map(([, name]) => name);

    expect(namesIn(await pageOf())).toEqual(Array.from({ length: 50 }, (_, i) => `script ${50 - i}`));
    expect(await pageOf()).toMatch(/href="\/users\/token\?page=2"[^>]*>Older/);
    expect(namesIn(await pageOf('?page=2'))).toEqual(['script 0']);
    expect(namesIn(await pageOf('?page=3'))).toEqual([]);
    expect((await pageClient.get('/users/token?page=0')).status).toBe(400);
  });

  it('shows when a token was last used', async () => {
    const token = tokenIn((await pageClient.post('/users/token', { name: 'deploy script' })).body);
    expect((await pageClient.get('/users/token')).body).toMatch(/<td[^>]*>Never<\/td>/);

    await callWith(token);

    expect((await pageClient.get('/users/token')).body).toMatch(/<td[^>]*>Within the last hour<\/td>/);
  });

  it.each([
    [0.5, 'Within the last hour'],
    [1.5, 'About an hour ago'],
    [30.5, 'About 30 hours ago'],
    [49, 'About 2 days ago'],
    [-1, 'Within the last hour'],
  ])('says no more precisely than it is known when a token was used %d hours ago', async (hours, text) => {
    await pageClient.post('/users/token', { name: 'deploy script' });
    const lastUsedAt = new Date(Date.now() - hours * HOUR_MS);
    await running.dataSource.manager.update(ApiToken, { userId: member.id }, { lastUsedAt });

    expect((await pageClient.get('/users/token')).body).toContain(text);
  });

  it('shows the first characters of each token', async () => {
    const token = tokenIn((await pageClient.post('/users/token', { name: 'new' })).body);
    const { body } = await pageClient.get('/users/token');

    expect(body).toContain(`<code translate="no">${token.slice(0, 6)}…</code>`);
    expect(body.match(/…<\/code>/g)).toHaveLength(2); // and the example of the header
    expect(body).not.toContain(token.slice(0, 7));
  });

  describe('when its form is sent again', () => {
    it('creates no second token, and shows none', async () => {
      const id = idIn((await pageClient.get('/users/token')).body);
      const first = await pageClient.post('/users/token', { name: 'deploy script', id });
      const again = await pageClient.post('/users/token', { name: 'deploy script', id });

      expect([first.status, again.status]).toEqual([201, 200]);
      expect(tokenIn(again.body)).toBe('');
      expect(again.body).toContain('The token was already created.');
      expect(await running.dataSource.manager.countBy(ApiToken, { userId: member.id })).toBe(1);
      expect((await callWith(tokenIn(first.body))).status).toBe(200);
    });

    it('twice concurrently creates one', async () => {
      const id = idIn((await pageClient.get('/users/token')).body);
      const answers = await Promise.all(
        Array.from({ length: 4 }, () => pageClient.post('/users/token', { name: 'deploy script', id })),
      );

      expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 201]);
      expect(await running.dataSource.manager.countBy(ApiToken, { userId: member.id })).toBe(1);
    });

    it('by another user creates nothing and shows nothing of the first (C7)', async () => {
      const id = idIn((await pageClient.get('/users/token')).body);
      await pageClient.post('/users/token', { name: 'of another', id });
      const { pageClient: stranger } = await newSignedInUser(running);

      const { status, body } = await stranger.post('/users/token', { name: 'mine', id });

      expect(status).toBe(200);
      expect(body).not.toContain('of another');
      expect(await running.dataSource.manager.countBy(ApiToken, { name: 'mine' })).toBe(0);
    });

    it('has a new id, so that the next token can be created', async () => {
      const id = idIn((await pageClient.get('/users/token')).body);
      const { body } = await pageClient.post('/users/token', { name: 'first', id });

      expect((await pageClient.post('/users/token', { name: 'second', id: idIn(body) })).status).toBe(201);
    });
  });

  it.each(['x', '../x', "' OR 1", '00000000-0000-4000-8000-000000000000', 'a'.repeat(36)])(
    'rejects the id %j',
    async (id) => {
      expect((await pageClient.post('/users/token', { name: 'a', id })).status).toBe(422);
    },
  );

  it('limits a token to what was chosen, and shows it', async () => {
    const { body } = await pageClient.post('/users/token', { name: 'bot', scope: 'create', days: '30' });
    const client = new Client(running.url, { Authorization: `Bearer ${tokenIn(body)}` });
    const made = await running.dataSource.manager.findOneByOrFail(ApiToken, { userId: member.id });
    const list = (await pageClient.get('/users/token')).body;

    expect((await client.post('/api/v2/pushes', { push: { payload: 'tulip' } })).status).toBe(201);
    expect((await client.get('/api/v2/pushes/active')).status).toBe(403);
    expect((made.endsAt?.getTime() ?? 0) - made.createdAt.getTime()).toBe(30 * DAY_MS);
    expect(list).toContain('>Only create pushes</span>');
    expect(list).toContain(`<time datetime="${made.endsAt?.toISOString()}"`);
  });

  it.each<Record<string, string>>([
    { scope: 'all' },
    { scope: '' },
    { days: '-1' },
    { days: '1e9' },
    { days: '0' },
  ])('rejects %j, and creates nothing', async (chosen) => {
    const { status, body } = await pageClient.post('/users/token', { name: 'bot', ...chosen });

    expect(status).toBe(422);
    expect(body).not.toMatch(/must (be|match)/);
    expect(await running.dataSource.manager.countBy(ApiToken, { userId: member.id })).toBe(0);
  });

  it('refuses a token that has ended, and says so in the list', async () => {
    const { body } = await pageClient.post('/users/token', { name: 'bot', days: '30' });
    await running.dataSource.manager.update(ApiToken, { userId: member.id }, { endsAt: new Date() });

    expect((await callWith(tokenIn(body))).status).toBe(401);
    expect((await pageClient.get('/users/token')).body).toContain('>Expired</td>');
  });

  it('revokes a token immediately (C5, C8)', async () => {
    const token = tokenIn((await pageClient.post('/users/token', { name: 'deploy script' })).body);
    const { id } = await running.dataSource.manager.findOneByOrFail(ApiToken, { userId: member.id });

    expect((await pageClient.post(`/users/token/${id}/revoke`)).status).toBe(303);

    expect((await callWith(token)).status).toBe(401);
  });

  it('neither revokes nor shows another user’s token (C7)', async () => {
    const token = tokenIn((await pageClient.post('/users/token', { name: 'of another' })).body);
    const { id } = await running.dataSource.manager.findOneByOrFail(ApiToken, { userId: member.id });
    const { pageClient: stranger } = await newSignedInUser(running);

    await stranger.post(`/users/token/${id}/revoke`);

    expect((await callWith(token)).status).toBe(200);
    expect((await stranger.get('/users/token')).body).not.toContain('of another');
  });

  it.each(['', '   ', 'x'.repeat(256), 'a\0b', 'a\nb'])('rejects a name such as %j', async (name) => {
    expect((await pageClient.post('/users/token', { name })).status).toBe(422);
    expect(await running.dataSource.manager.countBy(ApiToken, { userId: member.id })).toBe(0);
  });
});

describe('/users/token with API_TOKEN_DAYS_MAX', () => {
  const running = forAllTests(() => startApp({ API_TOKEN_DAYS_MAX: '60' }));

  it.each([[''], ['90'], ['60']])(
    'creates no token that ends later, whatever is chosen (%j)',
    async (days) => {
      const { pageClient, id } = await newSignedInUser(running);
      const { body } = await pageClient.get('/users/token');
      await pageClient.post('/users/token', { name: 'bot', days });
      const { createdAt, endsAt } = await running.dataSource.manager.findOneByOrFail(ApiToken, {
        userId: id,
      });

      expect(body.match(/After \d+ days/g)).toEqual(['After 60 days', 'After 30 days']);
      expect((endsAt?.getTime() ?? 0) - createdAt.getTime()).toBe(60 * DAY_MS);
    },
  );
});
