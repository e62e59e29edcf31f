import type { Type } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { AdminModule } from '../../src/features/admin/admin.module.js';
import { GeneratorModule } from '../../src/features/generator/generator.module.js';
import { HealthModule } from '../../src/features/health/health.module.js';
import { LegacyModule } from '../../src/features/legacy/legacy.module.js';
import { MetricsModule } from '../../src/features/metrics/metrics.module.js';
import { OidcModule } from '../../src/features/oidc/oidc.module.js';
import { RequestsPagesModule } from '../../src/features/requests/requests-pages.module.js';
import { SetupModule } from '../../src/features/setup/setup.module.js';
import { UploadsPagesModule } from '../../src/features/uploads/uploads-pages.module.js';
import { WebhooksPagesModule } from '../../src/features/webhooks/webhooks-pages.module.js';
import { forAllTests, forThisTest } from '../support/for-tests.js';
import { TestIdentityProvider } from '../support/identity-provider.js';
import { newSignedInUser, PageClient } from '../support/page-client.js';
import type { RunningApp } from '../support/start-app.js';
import { startApp } from '../support/start-app.js';

/** Each with the paths of some of its routes, and its jobs. */
const FEATURES: [Type, paths: string[], jobs: string[]][] = [
  [AdminModule, ['/admin', '/admin/accounts', '/admin/groups', '/admin/audit'], []],
  [GeneratorModule, ['/api/v2/generate'], []],
  [HealthModule, ['/up', '/ready'], []],
  [LegacyModule, ['/p/active.json', '/api/v1/version'], []],
  [MetricsModule, [], []],
  [OidcModule, ['/users/sign_in/provider', '/users/sign_in/join'], []],
  [RequestsPagesModule, ['/requests', '/requests/new', '/api/v2/requests/open'], ['requests']],
  [SetupModule, ['/setup'], []],
  [UploadsPagesModule, [], ['uploads']],
  [WebhooksPagesModule, ['/users/webhooks', '/admin/webhooks'], ['webhooks']],
];

@Module({})
class NoFeature {}

const startWithout = (features: Type[], env: Record<string, string>) =>
  startApp(env, {
    adjust: (builder) =>
      features.reduce((adjusted, feature) => adjusted.overrideModule(feature).useModule(NoFeature), builder),
  });

const statuses = (client: PageClient, paths: string[]) =>
  Promise.all(
    paths.map(async (path) => {
      const send = path === '/api/v2/generate' ? client.post(path, {}) : client.get(path);
      return [path, (await send).status];
    }),
  );

const jobsOf = ({ app }: RunningApp) => [...app.get(SchedulerRegistry).getCronJobs().keys()];

describe('The service', () => {
  const provider = forAllTests(() => TestIdentityProvider.start());
  let env: Record<string, string>;

  beforeAll(() => (env = { ...provider.env, ENABLE_REQUESTS_API: 'true' }));

  it.each(FEATURES.map(([feature, ...parts]) => [feature.name, feature, ...parts] as const))(
    'starts without %s, which leaves no route, no link and no job',
    async (_name, feature, paths, jobs) => {
      const running = await forThisTest(startWithout([feature], env));
      const { pageClient } = await newSignedInUser(running);

      expect(await statuses(pageClient, paths)).toEqual(paths.map((path) => [path, 404]));
      expect(jobsOf(running).filter((job) => jobs.includes(job))).toEqual([]);
      for (const page of ['/', '/pushes', '/users/token', '/users/edit', '/how-it-works', '/users/sign_in']) {
        const { status, body } = await pageClient.get(page);
        expect([page, status < 400]).toEqual([page, true]);
        for (const path of paths) expect(body).not.toContain(`href="${path}"`);
      }
    },
  );

  it('has them otherwise', async () => {
    const running = await forThisTest(startApp(env));
    const visitor = new PageClient(running.url);
    const paths = FEATURES.flatMap(([, some]) => some).filter((path) => path !== '/setup'); // which a test closes

    expect((await statuses(visitor, paths)).filter(([, status]) => status === 404)).toEqual([]);
    expect((await running.anonymous.get('/api/v2/version')).body.features.requests.enabled).toBe(true);
    expect(jobsOf(running)).toEqual(expect.arrayContaining(FEATURES.flatMap(([, , jobs]) => jobs)));
  });

  describe('without any of them', () => {
    const running = forAllTests(() =>
      startWithout(
        FEATURES.map(([feature]) => feature),
        env,
      ),
    );

    it('creates, shows, changes, lists, audits and deletes pushes', async () => {
      const { client } = await running.newUser();
      const made = await client.push({ payload: 'tulip', passphrase: 'open sesame', expire_after_views: 3 });
      const { url_token: token } = made;

      expect((await running.anonymous.retrieve(token, 'open says me')).status).toBe(401);
      expect((await running.anonymous.retrieve(token, 'open sesame')).body.payload).toBe('tulip');
      expect((await client.get(`/api/v2/pushes/${token}/preview`)).body.url).toContain(`/p/${token}`);
      expect((await client.change(token, { expire_after_views: 2 })).status).toBe(200);
      const listed = (await client.get('/api/v2/pushes/active')).body;
      expect(JSON.stringify(listed)).toContain(token);
      const { logs } = (await client.get(`/api/v2/pushes/${token}/audit`)).body;
      expect(logs.map(({ kind }: { kind: string }) => kind)).toEqual(
        expect.arrayContaining(['creation', 'failed_passphrase', 'view', 'edit']),
      );
      expect((await client.delete(`/api/v2/pushes/${token}`)).status).toBe(200);
      expect(JSON.stringify((await client.get('/api/v2/pushes/expired')).body)).toContain(token);
    });

    it('keeps files and gives them back', async () => {
      const { client } = await running.newUser();
      const content = Buffer.from('a red tulip').toString('base64');
      const files = [{ filename: 'tulip.txt', content, content_type: 'text/plain' }];
      const { url_token: token } = await client.push({ kind: 'file', payload: '', files });
      const [file] = (await running.anonymous.retrieve(token)).body.files;

      expect((await running.anonymous.get(new URL(file.url as string).pathname)).body).toBe('a red tulip');
    });

    it('has accounts, tokens, a version and the documentation of its API', async () => {
      const { pageClient } = await newSignedInUser(running);

      expect(await pageClient.isSignedIn()).toBe(true);
      expect((await running.anonymous.get('/api/v2/pushes/active')).status).toBe(401);
      const { body: version } = await running.anonymous.get('/api/v2/version');
      expect(version).toHaveProperty('application_version');
      expect(version.features.requests.enabled).toBe(false); // although ENABLE_REQUESTS_API is true
      expect((await running.anonymous.get('/api/docs.md')).status).toBe(200);
    });
  });
});
