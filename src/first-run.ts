import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Log } from './logging/log.js';
import { masterKeyPath } from './sealing/master-key-file.js';
import { MasterKey } from './sealing/master-key.entity.js';
import { Settings } from './settings/settings.js';

/** Logs what the operator should know about the first start; on later starts only the address. */
export async function logStart(app: INestApplication, startedAt: Date): Promise<void> {
  const log = app.get(Log);
  const address = await app.getUrl();
  const isFirst = await hasCreatedDatabase(app.get(DataSource), startedAt);
  const settings = app.get(Settings);

  if (isFirst) {
    log.event('Created the database', whereDatabaseIs(settings));
    const path = masterKeyPath(settings);
    if (await isCreatedSince(startedAt, path)) {
      log.event(
        'Created the master key. Keep a copy of it, separate from copies of the database: without it nothing can be decrypted',
        { path },
      );
    }
  }
  log.event('Listening', { address });
  if (isFirst) {
    log.event('Create an account with: npm run -s cli -- user:create EMAIL', {});
    log.event('API documentation', { address: `${address}/api/docs` });
  }
}

/** The first master key is registered in the database at the first start. */
async function hasCreatedDatabase(dataSource: DataSource, startedAt: Date): Promise<boolean> {
  const [first, second] = await dataSource.manager.find(MasterKey, { take: 2 });
  return first !== undefined && second === undefined && first.createdAt >= startedAt;
}

function whereDatabaseIs({ DATABASE_URL, DATA_DIR }: Settings): object {
  if (!DATABASE_URL) return { path: join(DATA_DIR, 'sealpush.sqlite3') };
  const { host, port, database } = DATABASE_URL;
  return { address: `${host}:${port}/${database}` };
}

async function isCreatedSince(startedAt: Date, path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && found.mtime >= startedAt;
}
