import { readFileSync } from 'node:fs';
import { forAllTests } from '../support/for-tests.js';
import { startApp } from '../support/start-app.js';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

describe('GET /api/v2/version', () => {
  const running = forAllTests(startApp);

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
