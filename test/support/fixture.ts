import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { createConnection } from 'mysql2/promise';
import { engine } from './engine.js';
import type { Instance } from './instance.js';
import { makeNewInstance } from './instance.js';

/** What the data of an earlier version has in it; test/fixtures/make.mjs made it. */
export interface FixtureContents {
  email: string;
  password: string;
  token: string;
  /** The key of the push that its client encrypted. */
  fragment: string;
  /** The url_token of each push. */
  pushes: Record<PushOfFixture, string>;
}

type PushOfFixture =
  | 'text'
  | 'url'
  | 'qr'
  | 'file'
  | 'passphrase'
  | 'clientEncrypted'
  | 'expired'
  | 'deleted'
  | 'overdue'
  | 'anonymous';

/** A copy of the data that a version has left, for the engine of the specs. */
export async function copyOfVersion(version: string): Promise<{ instance: Instance; made: FixtureContents }> {
  const folder = join('test/fixtures', version, engine.name);
  const instance = await makeNewInstance();
  const unzipped = async (name: string) => gunzipSync(await readFile(join(folder, name)));
  await mkdir(instance.dataDir, { recursive: true });
  await cp(join(folder, 'files'), join(instance.dataDir, 'files'), { recursive: true });
  await cp(join(folder, 'master.key'), join(instance.dataDir, 'master.key'));
  if (instance.env.DATABASE_URL === undefined) {
    await writeFile(join(instance.dataDir, 'sealpush.sqlite3'), await unzipped('sealpush.sqlite3.gz'));
  } else {
    await runSql(instance.env.DATABASE_URL, (await unzipped('sealpush.sql.gz')).toString('utf8'));
  }
  return { instance, made: JSON.parse(await readFile(join(folder, 'made.json'), 'utf8')) as FixtureContents };
}

async function runSql(uri: string, sql: string): Promise<void> {
  const connection = await createConnection({ uri, multipleStatements: true });
  await connection.query(sql);
  await connection.end();
}
