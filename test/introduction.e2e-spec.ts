import { readFileSync } from 'node:fs';
import type { RunningApp } from './support/start-app.js';
import { startApp } from './support/start-app.js';

describe('GET /api', () => {
  let running: RunningApp;

  beforeAll(async () => (running = await startApp()));
  afterAll(() => running.stop());

  it('tells where the API and its documentation are', async () => {
    const { status, body } = await running.anonymous.get('/api');

    expect(status).toBe(200);
    expect(body).toMatchObject({ v2: `${running.url}/api/v2`, documentation: `${running.url}/api/docs` });
  });

  it('answers whoever asks, with whatever credentials', async () => {
    const mallory = running.anonymous.with({ Authorization: 'Bearer wrong' });

    expect((await mallory.get('/api')).status).toBe(200);
    expect((await mallory.get('/api/docs')).status).toBe(200);
  });

  it('shows the documentation at the address it tells', async () => {
    const { body: addresses } = await running.anonymous.get('/api');
    const { status, headers, body } = await running.anonymous.get(new URL(addresses.documentation).pathname);

    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(body).toBe(readFileSync('docs/api.md', 'utf8'));
  });
});
