import { ApiToken } from '../../src/auth/api-token.entity.js';
import { Client } from '../support/client.js';
import type { RunningApp } from '../support/start-app.js';
import { startApp } from '../support/start-app.js';
import type { Member, PageClient } from '../support/page-client.js';
import { newMember } from '../support/page-client.js';

const tokenIn = (body: string) => /value="([\w-]{43})"/.exec(body)?.[1] ?? '';

describe('/users/token', () => {
  let running: RunningApp;
  let member: Member;
  let pageClient: PageClient;

  const callWith = (token: string) =>
    new Client(running.url, { Authorization: `Bearer ${token}` }).get('/api/v2/pushes/active');

  beforeAll(async () => (running = await startApp()));
  beforeEach(async () => {
    member = await newMember(running);
    pageClient = member.pageClient;
  });
  afterAll(() => running.stop());

  it('creates a token that the API accepts, and shows it once', async () => {
    const { status, body } = await pageClient.post('/users/token', { name: 'deploy script' });
    const token = tokenIn(body);

    expect(status).toBe(201);
    expect((await callWith(token)).status).toBe(200);
    const again = await pageClient.get('/users/token');
    expect(again.body).toContain('deploy script');
    expect(again.body).not.toContain(token);
  });

  it('shows when a token was last used', async () => {
    const token = tokenIn((await pageClient.post('/users/token', { name: 'deploy script' })).body);
    expect((await pageClient.get('/users/token')).body).toContain('Never used.');

    await callWith(token);

    expect((await pageClient.get('/users/token')).body).toContain('Last used');
  });

  it('revokes a token at once (C5, C8)', async () => {
    const token = tokenIn((await pageClient.post('/users/token', { name: 'deploy script' })).body);
    const { id } = await running.dataSource.manager.findOneByOrFail(ApiToken, { userId: member.id });

    expect((await pageClient.post(`/users/token/${id}/revoke`)).status).toBe(303);

    expect((await callWith(token)).status).toBe(401);
  });

  it('neither revokes nor shows another user’s token (C7)', async () => {
    const token = tokenIn((await pageClient.post('/users/token', { name: 'of another' })).body);
    const { id } = await running.dataSource.manager.findOneByOrFail(ApiToken, { userId: member.id });
    const { pageClient: stranger } = await newMember(running);

    await stranger.post(`/users/token/${id}/revoke`);

    expect((await callWith(token)).status).toBe(200);
    expect((await stranger.get('/users/token')).body).not.toContain('of another');
  });

  it.each(['', '   ', 'x'.repeat(256)])('refuses a name such as %j', async (name) => {
    expect((await pageClient.post('/users/token', { name })).status).toBe(422);
    expect(await running.dataSource.manager.countBy(ApiToken, { userId: member.id })).toBe(0);
  });

  it('is only for signed-in users', async () => {
    const { status, headers } = await running.anonymous.get('/users/token');

    expect(status).toBe(303);
    expect(headers.get('location')).toBe('/users/sign_in?next=%2Fusers%2Ftoken');
  });
});
