import { randomUUID } from 'node:crypto';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { SchedulerRegistry } from '@nestjs/schedule';
import type { TestingModuleBuilder } from '@nestjs/testing';
import { Test } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import { appWith } from '../../src/app.module.js';
import { UsersService } from '../../src/auth/users/users.service.js';
import { APP_OPTIONS, configureApp } from '../../src/start/configure-app.js';
import type { NestModuleDefinition } from '../../src/custom/custom-modules.js';
import { AllSettings } from '../../src/platform/settings/read-settings.js';
import { Client } from './client.js';
import type { Instance } from './instance.js';
import { makeInstance } from './instance.js';
import { placeholders } from './server-database.js';

export interface TestUser {
  id: string;
  email: string;
  token: string;
  /** Calls the API with the token. */
  client: Client;
}

/** The whole app, listening on its own port. */
export interface RunningApp {
  app: NestExpressApplication;
  url: string;
  instance: Instance;
  dataSource: DataSource;
  anonymous: Client;
  /** Runs one statement on the app's connection, with `?` as placeholders for its parameters. */
  query(sql: string, parameters?: unknown[]): Promise<any>;
  newUser(): Promise<TestUser>;
  /** Stops it, once, and deletes its instance unless the caller provided it. */
  stop(): Promise<void>;
}

export interface StartOptions {
  /** Default: a new one, with an empty database of the current engine. */
  instance?: Instance | undefined;
  /** Replaces parts of the app. */
  adjust?: (builder: TestingModuleBuilder) => TestingModuleBuilder;
  /** Additional modules, as others add them. */
  extensions?: NestModuleDefinition[];
}

/**
 * Starts the whole app in this process.
 * Only one app at a time may use tokens in a test: passport has one strategy per process.
 */
export async function startApp(
  env: Record<string, string> = {},
  { instance: existingInstance, adjust = (builder) => builder, extensions = [] }: StartOptions = {},
): Promise<RunningApp> {
  const instance = existingInstance ?? (await makeInstance());
  const settings = new AllSettings({ REQUESTS_PER_MINUTE: '0', LOG_LEVEL: 'error', ...instance.env, ...env });
  const builder = Test.createTestingModule({ imports: [appWith(extensions)] });
  const module = await adjust(builder.overrideProvider(AllSettings).useValue(settings)).compile();
  const app = configureApp(module.createNestApplication<NestExpressApplication>(APP_OPTIONS));
  await app.init();
  stopCronJobs(app); // at once: a job that has begun would still be at work in the test
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    await app.close();
    if (!existingInstance) await instance.destroy();
  };

  return {
    app,
    url,
    instance,
    dataSource: app.get(DataSource),
    query: (sql, parameters) => app.get(DataSource).query(placeholders(sql), parameters),
    anonymous: new Client(url),
    newUser: async () => {
      const email = `${randomUUID()}@example.org`;
      const { user, token } = await app.get(UsersService).createWithToken(email, undefined, 'test');
      return { id: user.id, email, token, client: new Client(url, { Authorization: `Bearer ${token}` }) };
    },
    stop: () => (stopped ??= stop()),
  };
}

/** Tests run the scheduled jobs themselves. */
function stopCronJobs(app: NestExpressApplication): void {
  for (const job of app.get(SchedulerRegistry).getCronJobs().values()) void job.stop();
}
