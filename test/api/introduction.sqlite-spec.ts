import { readFileSync } from 'node:fs';
import { forAllTests } from '../support/for-tests.js';
import { startApp } from '../support/start-app.js';

describe('GET /api', () => {
  const running = forAllTests(startApp);

  it('returns the addresses of the API and its documentation', async () => {
    const { status, body } = await running.anonymous.get('/api');

    expect(status).toBe(200);
    expect(body).toMatchObject({ v2: `${running.url}/api/v2`, documentation: `${running.url}/api/docs` });
  });

  it('responds to anyone, whatever the credentials', async () => {
    const mallory = running.anonymous.with({ Authorization: 'Bearer wrong' });

    expect((await mallory.get('/api')).status).toBe(200);
    expect((await mallory.get('/api/docs')).status).toBe(200);
  });

  it('links to the documentation, which is available as a page and as text', async () => {
    const { body: addresses } = await running.anonymous.get('/api');
    const page = await running.anonymous.get(new URL(addresses.documentation).pathname);
    const text = await running.anonymous.get('/api/docs.md');

    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(text.status).toBe(200);
    expect(text.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(text.body).toBe(readFileSync('docs/api.md', 'utf8'));
  });
});
