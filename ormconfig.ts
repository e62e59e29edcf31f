// For TypeORM's own command line, after a build: npm run typeorm -- migration:show
import { allowMediumBlob } from './dist/platform/database/connect.js';
import { dataSourceOptions } from './dist/platform/database/engine.js';
import { readSettings } from './dist/platform/settings/read-settings.js';
import { DataSource } from 'typeorm';

export default dataSourceOptions(readSettings(process.env)).then((options) =>
  allowMediumBlob(new DataSource({ ...options, entities: ['dist/**/*.entity.js'] })),
);
