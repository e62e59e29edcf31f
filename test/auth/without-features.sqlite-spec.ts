import { Module } from '@nestjs/common';
import { OidcModule } from '../../src/features/oidc/oidc.module.js';
import { SetupModule } from '../../src/features/setup/setup.module.js';
import { TestIdentityProvider } from '../support/identity-provider.js';
import { newSignedInUser, PageClient } from '../support/page-client.js';
import type { RunningApp } from '../support/start-app.js';
import { startApp } from '../support/start-app.js';

@Module({})
class NoFeature {}

describe('Without the features of the provider and the first administrator', () => {
  let running: RunningApp;
  let provider: TestIdentityProvider;

  beforeAll(async () => {
    provider = await TestIdentityProvider.start();
    running = await startApp(provider.env, {
      adjust: (builder) =>
        [OidcModule, SetupModule].reduce(
          (adjusted, feature) => adjusted.overrideModule(feature).useModule(NoFeature),
          builder,
        ),
    });
  });
  afterAll(async () => {
    await running.stop();
    await provider.stop();
  });

  it('accounts sign in with their passwords, and use their tokens', async () => {
    const { pageClient } = await newSignedInUser(running);
    const { client } = await running.newUser();

    expect(await pageClient.isSignedIn()).toBe(true);
    expect((await client.get('/api/v2/pushes/active')).status).toBe(200);
  });

  it('their routes are not there, and no page names them', async () => {
    const visitor = new PageClient(running.url);
    const paths = [
      '/setup',
      '/users/sign_in/provider',
      '/users/sign_in/provider/callback',
      '/users/sign_in/join',
    ];

    expect(await Promise.all(paths.map(async (path) => (await visitor.get(path)).status))).toEqual(
      paths.map(() => 404),
    );
    expect((await visitor.get('/users/sign_in')).body).not.toContain('/users/sign_in/provider');
  });
});
