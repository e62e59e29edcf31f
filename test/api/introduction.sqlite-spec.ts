import { readFileSync } from 'node:fs';
import { forAllTests } from '../support/for-tests.js';
import { startApp } from '../support/start-app.js';

const running = forAllTests(startApp);

describe('GET /api', () => {
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

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

describe('GET /api/v2/version', () => {
  it('returns the versions and enabled features', async () => {
    const { status, body } = await running.anonymous.get('/api/v2/version');

    expect(status).toBe(200);
    expect(body).toEqual({
      application_version: version,
      api_version: '2.1',
      edition: 'oss',
      features: {
        anonymous_access: true,
        api_token_authentication: true,
        accounts: { enabled: false },
        pushes: {
          enabled: true,
          email_auto_dispatch: false,
          recipients: false,
          file_attachments: { enabled: true, requires_authentication: true },
          url_pushes: { enabled: true },
          qr_code_pushes: { enabled: true },
          password_generator: { enabled: true, languages: ['en', 'es', 'fr', 'de', 'it', 'cs', 'pt'] },
          first_view_limit: { enabled: true },
          opening_time: { enabled: true },
          network_limit: { enabled: true },
          changes: { enabled: true },
        },
        requests: { enabled: false },
      },
    });
  });

  it('returns a version that existing clients accept, 2.5.0 or higher, in both versions of the API', async () => {
    for (const path of ['/api/v2/version', '/api/v1/version.json']) {
      const { body } = await running.anonymous.get(path);
      const returned: string = body.application_version;
      const [major = 0, minor = 0] = returned.split('.').map(Number);

      expect(major * 1000 + minor).toBeGreaterThanOrEqual(2005);
    }
  });

  it('responds to anyone, whatever the credentials', async () => {
    const { status } = await running.anonymous.with({ Authorization: 'Bearer wrong' }).get('/api/v2/version');

    expect(status).toBe(200);
  });
});
