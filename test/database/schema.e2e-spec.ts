import type { Type } from '@nestjs/common';
import { AppModule } from '../../src/app.module.js';
import { CliModule } from '../../src/cli.module.js';
import { schemaIn } from '../../src/platform/database/migrations.module.js';
import type { Instance } from '../support/instance.js';
import { makeNewInstance } from '../support/instance.js';
import type { RunningApp } from '../support/start-app.js';
import { startApp } from '../support/start-app.js';

describe('The migrations', () => {
  let instance: Instance;
  let running: RunningApp;

  beforeAll(async () => {
    instance = await makeNewInstance();
    running = await startApp({}, { instance });
  });
  afterAll(async () => {
    await running.stop();
    await instance.destroy();
  });

  it('create exactly the schema that the entities describe (K5)', async () => {
    const { upQueries } = await running.dataSource.driver.createSchemaBuilder().log();

    expect(upQueries.map(({ query }) => query)).toEqual([]);
  });

  it('and the entities are the same in a command as in the service', async () => {
    const namesIn = async (module: Type) => {
      const { entities, migrations } = await schemaIn(module);
      return [...entities, ...migrations].map(({ name }) => name).sort();
    };

    expect(await namesIn(CliModule)).toEqual(await namesIn(AppModule));
  });
});
