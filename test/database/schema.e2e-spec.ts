import type { Type } from '@nestjs/common';
import { AppModule } from '../../src/app.module.js';
import { CliModule } from '../../src/cli.module.js';
import { schemaIn } from '../../src/platform/database/migrations.module.js';
import { forAllTests } from '../support/for-tests.js';
import { makeNewInstance } from '../support/instance.js';
import { startApp } from '../support/start-app.js';

describe('The migrations', () => {
  const instance = forAllTests(makeNewInstance);
  const running = forAllTests(() => startApp({}, { instance }));

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
