import type { RunningApp } from '../support/start-app.js';
import { startApp } from '../support/start-app.js';

describe('The migrations', () => {
  let running: RunningApp;

  beforeAll(async () => (running = await startApp()));
  afterAll(() => running.stop());

  it('create exactly the schema that the entities describe (K5)', async () => {
    const { upQueries } = await running.dataSource.driver.createSchemaBuilder().log();

    expect(upQueries.map(({ query }) => query)).toEqual([]);
  });
});
