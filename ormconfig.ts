// For TypeORM's own command line, after a build: npm run typeorm -- migration:show
import { AppModule } from './dist/app.module.js';
import { allowMediumBlob } from './dist/platform/database/connect.js';
import { dataSourceOptions } from './dist/platform/database/engine.js';
import { schemaIn } from './dist/platform/database/migrations.module.js';
import { readSettings } from './dist/platform/settings/read-settings.js';
import { DataSource } from 'typeorm';

export default dataSourceOptions(readSettings(process.env)).then(async (options) => {
  return allowMediumBlob(new DataSource(Object.assign(options, await schemaIn(AppModule))));
});
