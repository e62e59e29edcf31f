// For TypeORM's own command line, after a build: npm run typeorm -- migration:show
import { AppModule } from './dist/app.module.js';
import { dataSourceOptions, engineOf } from './dist/platform/database/engines/engines.js';
import { schemaIn } from './dist/platform/database/migrations.module.js';
import { readSettings } from './dist/platform/settings/read-settings.js';
import { DataSource } from 'typeorm';

export default dataSourceOptions(readSettings(process.env)).then(async (options) => {
  return engineOf({ options }).acceptTypes(new DataSource(Object.assign(options, await schemaIn(AppModule))));
});
